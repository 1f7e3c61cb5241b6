import { contents, shapes } from '../../fields/shape.ts';
import { inBothCases } from '../in-both-cases.ts';

/** `Part`. */
const PART = contents(
  `text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode
   codeExecutionResult videoMetadata mediaResolution toolCall toolResponse audioTranscription
   partMetadata mediaProcessing speechMetadata`,
);

/** `Candidate`, and `groundingAttributions` of the REST interface. */
const CANDIDATE = contents(
  `index finishReason finishMessage tokenCount avgLogprobs logprobsResult safetyRatings
   citationMetadata groundingMetadata groundingAttributions urlContextMetadata continuationToken`,
  [['content', shapes('role', [['parts', PART]])]],
);

/** `GenerateContentResponseUsageMetadata` and `UsageMetadata`. */
const USAGE = shapes(
  `promptTokenCount cachedContentTokenCount candidatesTokenCount responseTokenCount
   thoughtsTokenCount toolUsePromptTokenCount totalTokenCount initialPromptTokenCount trafficType
   serviceTier`,
  [
    ['promptTokensDetails', 'flat'],
    // Of embeddings.
    ['promptTokenDetails', 'flat'],
    ['cacheTokensDetails', 'flat'],
    ['candidatesTokensDetails', 'flat'],
    ['responseTokensDetails', 'flat'],
    ['toolUsePromptTokensDetails', 'flat'],
  ],
);

/**
 * The fields of a reply and of a chunk of one: `GenerateContentResponse` in Google's SDK, the
 * source of all lists here, without what the SDK itself adds.
 */
export const GEMINI_REPLY_FIELDS = inBothCases(
  shapes('modelVersion responseId createTime', [
    ['candidates', CANDIDATE],
    ['usageMetadata', USAGE],
    ['promptFeedback', 'any'],
    ['modelStatus', 'any'],
  ]),
);

/** `EmbedContentResponse`, and the usage that the REST interface reports. */
export const EMBED_REPLY_FIELDS = inBothCases(
  shapes('truncated', [
    ['embeddings', contents('values statistics shape')],
    ['metadata', 'flat'],
    ['usageMetadata', USAGE],
  ]),
);
