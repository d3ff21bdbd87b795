/* The physical limit: whole random deals of the preset `champion`, two seats, in C.
 *
 * usage: champion_limit DEALS SEED
 * Prints one JSON line: deals, actions, seconds. Rules: docs/rules.md, preset `champion` (pack of 32, hands of 5, 7 draws
 * two and is answered by a 7, 8 skips, J is wild, no calls, an ordinary draw ends the turn, a paid debt is followed by an
 * ordinary turn). Shuffled by splitmix64, every legal action alike, one action per wished suit.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 32, HAND = 5, MAX_ACTIONS = 1000 };
enum { SEVEN = 0, EIGHT = 1, JACK = 4 };

static uint64_t state;

static inline uint32_t random_bits(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (uint32_t)(z >> 32);
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)random_bits() * n) >> 32); }

static void shuffle(uint8_t *cards, int n) {
  for (int i = n - 1; i > 0; i--) {
    int j = (int)below((uint32_t)i + 1);
    uint8_t held = cards[i];
    cards[i] = cards[j];
    cards[j] = held;
  }
}

/* Card = 4 * rank + suit. Returns the number of actions. */
static int play_deal(int leader) {
  uint8_t stock[CARDS], pile[CARDS];
  uint32_t hands[2] = {0, 0};
  int stock_left = 0, next = 0, piled = 0, seat = leader, owed = 0, wish = -1, actions = 0, idle = 0;
  for (int i = 0; i < CARDS; i++) stock[i] = (uint8_t)i;
  shuffle(stock, CARDS);
  stock_left = CARDS;
  for (int k = 0; k < 2 * HAND; k++) hands[(leader + k) & 1] |= 1u << stock[next++];
  pile[piled++] = stock[next++];
  stock_left -= next;
  while (actions < MAX_ACTIONS) {
    uint32_t hand = hands[seat];
    int top = pile[piled - 1];
    uint32_t ranks = 0xfu << (top & ~3), suits = 0x11111111u << (wish >= 0 ? wish : (top & 3));
    uint32_t jacks = 0xfu << (4 * JACK), fits;
    if (owed) fits = hand & 0xfu;
    else if (wish >= 0) fits = hand & (suits | jacks);
    else fits = hand & (suits | ranks | jacks);
    int last = (hand & (hand - 1)) == 0;
    int wilds = __builtin_popcount(fits & jacks), plays = __builtin_popcount(fits) + (last ? 0 : 3 * wilds);
    int total = plays + (owed || plays == 0);
    int pick = total > 1 ? (int)below((uint32_t)total) : 0;
    actions++;
    if (pick >= plays) { /* draw, or pass where not one card can be had */
      int count = owed ? owed : 1, had = 0;
      while (had < count) {
        if (stock_left == 0) {
          if (piled < 2) break;
          for (int i = 0; i < piled - 1; i++) stock[i] = pile[i];
          stock_left = piled - 1;
          pile[0] = pile[piled - 1];
          piled = 1;
          shuffle(stock, stock_left);
          next = 0;
        }
        hands[seat] |= 1u << stock[next++];
        stock_left--;
        had++;
      }
      if (had) idle = 0;
      if (owed) {
        owed = 0;
        continue;
      }
      if (!had && ++idle == 2) return actions;
      seat ^= 1;
      continue;
    }
    uint32_t left = fits;
    int card, named = -1;
    for (;;) {
      card = __builtin_ctz(left);
      int ways = (card >> 2) == JACK && !last ? 4 : 1;
      if (pick < ways) {
        if (ways == 4) named = pick;
        break;
      }
      pick -= ways;
      left &= left - 1;
    }
    hands[seat] &= ~(1u << card);
    pile[piled++] = (uint8_t)card;
    wish = named;
    idle = 0;
    if (!hands[seat]) return actions;
    if ((card >> 2) == SEVEN) owed += 2;
    if ((card >> 2) != EIGHT) seat ^= 1;
  }
  return actions;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: champion_limit DEALS SEED\n");
    return 2;
  }
  long deals = atol(argv[1]);
  state = strtoull(argv[2], NULL, 10);
  struct timespec began, ended;
  long long actions = 0;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
  for (long d = 0; d < deals; d++) actions += play_deal((int)(d & 1));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
  printf("{\"deals\": %ld, \"actions\": %lld, \"seconds\": %.6f}\n", deals, actions, seconds);
  return 0;
}
