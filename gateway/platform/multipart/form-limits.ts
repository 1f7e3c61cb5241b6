import type { MultipartLimits } from './read-multipart.ts';

/**
 * Lists of fifty names and references are the longest forms in use, and prompts of 32,000
 * characters the longest fields.
 */
export const FORM_LIMITS: MultipartLimits = { partsMax: 128, fieldBytesMax: 128 * 1024 };
