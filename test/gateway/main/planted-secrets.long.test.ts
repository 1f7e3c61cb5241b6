import { huntSecrets } from './support/secret-hunt.ts';

const SEED = Number(process.env['SECRETS_SEED'] ?? Date.now() % 1_000_000);
const COUNT = Number(process.env['SECRETS_REQUESTS'] ?? 10_000);

huntSecrets({ count: COUNT, seed: SEED });
