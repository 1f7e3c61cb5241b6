import { shapes } from '../../fields/shape.ts';
import { inBothCases } from '../in-both-cases.ts';

/** The fields that `readRequest` reads. All others are named as left out. */
export const CARRIED_FIELDS = inBothCases(
  shapes('cachedContent', [
    ['contents', shapes('role parts')],
    ['systemInstruction', shapes('role parts')],
    ['tools', 'any'],
    ['toolConfig', shapes('', [['functionCallingConfig', shapes('mode allowedFunctionNames')]])],
    [
      'generationConfig',
      shapes(
        `temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty
         frequencyPenalty responseMimeType responseLogprobs responseModalities responseSchema
         responseJsonSchema _responseJsonSchema responseFormat speechConfig imageConfig
         audioTimestamp`,
        [['thinkingConfig', shapes('includeThoughts thinkingBudget thinkingLevel')]],
      ),
    ],
  ]),
);
