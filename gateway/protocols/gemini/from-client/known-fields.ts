import { shapes } from '../../fields/shape.ts';
import { inBothCases } from '../in-both-cases.ts';

const CONTENT = shapes('role', [['parts', 'any']]);

/** Google's published fields, except for those that choose another model (`routingConfig`). */
export const GEMINI_FIELDS = inBothCases(
  shapes('store cachedContent', [
    ['contents', CONTENT],
    ['systemInstruction', CONTENT],
    ['tools', 'any'],
    ['generateContentRequest', 'any'],
    [
      'toolConfig',
      shapes('includeServerSideToolInvocations', [
        ['functionCallingConfig', shapes('mode allowedFunctionNames streamFunctionCallArguments')],
        ['retrievalConfig', 'any'],
      ]),
    ],
    ['safetySettings', 'flat'],
    ['labels', 'flat'],
    [
      'generationConfig',
      shapes(
        `temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty
         frequencyPenalty responseMimeType responseLogprobs logprobs responseModalities
         mediaResolution audioTimestamp enableEnhancedCivicAnswers enableAffectiveDialog`,
        [
          ['responseSchema', 'any'],
          ['responseJsonSchema', 'any'],
          ['_responseJsonSchema', 'any'],
          ['responseFormat', 'any'],
          ['imageConfig', 'flat'],
          ['audioTranscriptionConfig', 'any'],
          ['translationConfig', 'flat'],
          ['speechConfig', 'any'],
          ['thinkingConfig', shapes('includeThoughts thinkingBudget thinkingLevel')],
        ],
      ),
    ],
  ]),
);
