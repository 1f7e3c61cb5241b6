import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const BEDROCK_MANTLE: Vendor = {
  id: 'bedrock-mantle',
  label: 'Amazon Bedrock Mantle',
  source: 'pydantic-ai-slim 2.68.0 providers/bedrock_mantle.py',
  checkedOn: CHECKED_ON,
  hosts: ['bedrock-mantle.*.api.aws'],
  rules: {
    media: { imageAddresses: false, pdfAddresses: false },
  },
};
