import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const GEMINI: Vendor = {
  id: 'gemini',
  label: 'Gemini API',
  source: 'pydantic-ai-slim 2.68.0 profiles/google.py; google-genai 3.6.1',
  checkedOn: CHECKED_ON,
  hosts: ['generativelanguage.googleapis.com'],
  rules: {},
};
