import { describe } from 'vitest';
import { testEffects } from './support/gateway-effect.ts';

describe('on a gateway in the process of the admin API', () => {
  testEffects(['all']);
});
