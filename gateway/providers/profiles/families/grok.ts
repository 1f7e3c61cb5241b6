/** xAI's models, at xAI and at clouds. */
import type { Family } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const GROK_FAMILIES: readonly Family[] = [
  {
    id: 'grok-4.6',
    label: 'Grok 4.6 and 4.7',
    source: 'modelparams 0.0.53; pydantic-ai-slim 2.68.0 profiles/grok.py',
    checkedOn: CHECKED_ON,
    names: /^grok-(?:4[.-][67]|[5-9])/,
    rules: {
      thinksByDefault: true,
      efforts: ['low', 'medium', 'high', 'xhigh'],
      penalties: false,
    },
  },
  {
    id: 'grok-4.5',
    label: 'Grok 4.5',
    source: 'pydantic-ai-slim 2.68.0 profiles/grok.py',
    checkedOn: CHECKED_ON,
    names: /^grok-(?:4[.-]5|build-latest)/,
    rules: {
      thinksByDefault: true,
      efforts: ['low', 'medium', 'high'],
      penalties: false,
      stopSequencesMax: 0,
    },
  },
  {
    id: 'grok-4.3',
    label: 'Grok 4.3',
    source: 'pydantic-ai-slim 2.68.0 profiles/grok.py',
    checkedOn: CHECKED_ON,
    names: /^grok-(?:4[.-]3|latest)/,
    rules: {
      efforts: ['none', 'low', 'medium', 'high'],
      penalties: false,
      stopSequencesMax: 0,
    },
  },
  {
    id: 'grok',
    label: 'Grok 4.20, Build and Code, and earlier',
    source: 'pydantic-ai-slim 2.68.0 profiles/grok.py',
    checkedOn: CHECKED_ON,
    names: /^grok/,
    rules: { thinking: 'none', efforts: [], penalties: false, stopSequencesMax: 0 },
  },
];
