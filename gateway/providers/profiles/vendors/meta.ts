import type { Vendor } from '../rule-set.ts';
import { META as META_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-29';

export const META: Vendor = {
  id: 'meta',
  label: 'Meta',
  source:
    'pydantic-ai-slim 2.68.0 providers/meta.py; duolahypercho/codex-router#792; anomalyco/opencode#50297; eigent-ai/eigent#1904; ocaml chatoyant 0.13.0 provider/meta.ml',
  checkedOn: CHECKED_ON,
  hosts: ['api.meta.ai'],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    stopSequencesMax: 0,
    forcedTools: 'only_auto',
    toolSchema: META_SCHEMA,
    strictSchema: META_SCHEMA,
    formatSchema: META_SCHEMA,
  },
};
