import type { BrowserContext, Route } from 'playwright-core';
import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { failInside } from '../end-to-end/support/failing-api.ts';
import type { Random } from '../simulator/random.ts';

const DELAY_MS_MAX = 800;

type Mood = 'well' | 'slow' | 'fails' | 'is cut off' | 'is a proxy that fails';

function moodOf(random: Random): Mood {
  const drawn = random.between(1, 100);
  if (drawn <= 5) return 'fails';
  if (drawn <= 8) return 'is cut off';
  if (drawn <= 10) return 'is a proxy that fails';
  return drawn <= 40 ? 'slow' : 'well';
}

async function answer(route: Route, mood: Mood, random: Random): Promise<void> {
  switch (mood) {
    case 'fails':
      return failInside(route);
    case 'is cut off':
      return route.abort();
    case 'is a proxy that fails':
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, random.between(0, DELAY_MS_MAX)));
      return route.continue();
    case 'well':
      return route.continue();
  }
}

/**
 * The admin API as it is on a train: a third of its replies come late, so not in order, and one in
 * ten not at all.
 */
export async function disturbApi(context: BrowserContext, random: Random): Promise<void> {
  await context.route(
    ({ pathname }) => pathname.startsWith(ADMIN_API_ROOT),
    async (route) => {
      // The page may have been left meanwhile.
      await answer(route, moodOf(random), random).catch(() => undefined);
    },
  );
}
