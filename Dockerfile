# The arena's image: API, workers and the migration step are the same image with another command.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/maumau
ENV PATH=/opt/maumau/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.txt /src/
RUN pip install --no-cache-dir --require-hashes -r /src/requirements.txt
COPY pyproject.toml setup.py README.md LICENSE /src/
COPY maumau /src/maumau
COPY service /src/service
COPY worker /src/worker
COPY plugins /src/plugins
RUN pip install --no-cache-dir --no-deps --no-index --no-build-isolation /src

FROM python:3.13-slim
COPY --from=build /opt/maumau /opt/maumau
ENV PATH=/opt/maumau/bin:$PATH PYTHONDONTWRITEBYTECODE=1 MAUMAU_VAR=/var/lib/maumau
RUN useradd --system --uid 10001 --no-create-home maumau && install -d -o maumau -m 0700 /var/lib/maumau
USER maumau
VOLUME /var/lib/maumau
CMD ["maumau", "--help"]
