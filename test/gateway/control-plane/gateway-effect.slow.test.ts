import { describe } from 'vitest';
import { testEffects } from './support/gateway-effect.ts';

describe('on a gateway in a process apart from the admin API', () => {
  testEffects(['gateway', 'admin']);
});
