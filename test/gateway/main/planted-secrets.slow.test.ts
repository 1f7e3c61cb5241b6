import { huntSecrets } from './support/secret-hunt.ts';

huntSecrets({ count: 240, seed: 1 });
