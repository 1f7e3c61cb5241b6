import { shapes, type Shape, type Shapes } from '../../fields/shape.ts';
import { fieldName } from '../fields.ts';

/** Names are sent in camel case and in snake case. */
function inBothCases(known: Shapes): Shapes {
  const both = new Map<string, Shape>();
  for (const [name, shape] of known) {
    const inner = typeof shape === 'string' ? shape : inBothCases(shape);
    both.set(name, inner);
    both.set(fieldName(name).snake, inner);
  }
  return both;
}

const CONTENT = shapes('role', [['parts', 'any']]);

/** Google's published fields, but for those that choose another model (`routingConfig`). */
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
