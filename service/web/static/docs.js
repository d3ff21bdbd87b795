"use strict";
// Show the API's description; nothing is asked of any other server.
const place = document.getElementById("swagger-ui");
window.ui = SwaggerUIBundle({
  url: place.dataset.url,
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
