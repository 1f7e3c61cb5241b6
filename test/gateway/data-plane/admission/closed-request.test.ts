import { expect, it } from 'vitest';
import type { Offer } from '../../../../gateway/catalog/catalog.ts';
import { refuseHold } from '../../../../gateway/data-plane/admission/refuse-hold.ts';
import { payerOf } from '../../../support/ledger/payer.ts';

it('says that the clocks differ where the ledger takes a new request for an old one', () => {
  const offer: Partial<Offer> = {};
  const refusal = refuseHold(
    { code: 'request_closed', retryAfterMs: null, affordableNanoUsd: 0 },
    {
      offer: offer as Offer,
      maxOutputTokens: null,
      outputLimitName: 'max_tokens',
      payer: payerOf(),
    },
    null,
  );
  expect(refusal).toMatchObject({ refused: 'ledger_unavailable', retryAfterMs: 1_000 });
  expect(refusal.message).toMatch(/^The clocks of this gateway/);
});
