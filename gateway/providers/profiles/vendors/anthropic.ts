import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const ANTHROPIC: Vendor = {
  id: 'anthropic',
  label: 'Anthropic',
  source: 'pydantic-ai-slim 2.68.0 profiles/anthropic.py; anthropics/claude-code#96152',
  checkedOn: CHECKED_ON,
  hosts: ['api.anthropic.com'],
  rules: { toolName: { letters: 'A-Za-z0-9_-', charactersMax: 128 } },
};
