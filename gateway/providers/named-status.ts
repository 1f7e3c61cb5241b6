import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';
import { extractMessage } from './error-message.ts';

/**
 * What vendors, and gateways between, say in an error's names and words, under whatever status.
 * By the status alone, customers would be blamed for a wrong key of ours, a flagged prompt would
 * take a credential from everybody, and a missing model would take its channel from all models.
 *
 * Each is a field that the vendor fills in, or how its text begins: errors quote prompts, and a
 * prompt must not put the blame on a channel.
 */
interface ErrorPattern {
  /** The status that says it, as all providers judge it. */
  readonly status: number;
  /** Values of `code`, `type`, `status` and `reason`, in small letters and digits alone. */
  readonly names: ReadonlySet<string>;
  readonly beginnings: readonly RegExp[];
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** The name of a model in an error's words: no text of a customer's. */
const NAME = '[`\'"“‘]?[\\w./:@+-]{0,200}[`\'"”’]?';

/** The upstream does not have the model, no longer has it, or does not open it to our account. */
const MODEL_UNKNOWN: ErrorPattern = {
  status: 404,
  // OpenAI, Groq, Mistral, Together, Volcengine, Alibaba, StepFun, GitHub, Azure, LiteLLM, Novita;
  // numbers of Zhipu and SiliconFlow.
  names: names(
    `modelnotfound modelnotavailable modelnotsupported modelnotexist modelnotopen
     modeldecommissioned modeldeprecated modeltermsrequired modelpermissionblockedorg
     modelpermissionblockedproject invalidmodel invalidmodelid invalidmodelname modelinvalid
     unknownmodel unavailablemodel unsupportedmodel invalidendpointormodelnotfound
     invalidendpointormodelmodelidaccessdisabled modelaccessdenied keymodelaccessdenied
     teammodelaccessdenied accessdeniedunpurchased allocationquotafreetieronly deploymentnotfound
     1211 20012 30003`,
  ),
  beginnings: [
    // DeepSeek, Alibaba, xAI, vLLM, SGLang, Ollama, Fireworks, Cohere, NVIDIA, Moonshot.
    new RegExp(
      `^(?:the )?(?:requested )?models?:? ?${NAME} ?(?:(?:does not|doesn't|not) exist|(?:is |was )?not found|is not available|has been deprecated|has been decommissioned|has reached its end of life|is not supported by any provider)`,
      'i',
    ),
    /^not found the model/i,
    // LiteLLM names its path first.
    /^(?:\/[\w/]+: )?invalid model(?::| id\b| name\b| ['"`])/i,
    // GitHub, Azure, MiniMax, Cloudflare.
    /^(?:invalid params, )?(?:unknown|unavailable) model\b/i,
    /^no such model/i,
    /^unable to access (?:non-serverless )?model/i,
    // OpenRouter.
    new RegExp(`^${NAME} is not a valid model ID`),
    new RegExp(`^No endpoints found for ${NAME}\\.$`),
    // new-api and one-api, other gateways.
    /^no available channel for model/i,
    /^(?:当前)?分组.{1,200}无可用渠道/,
    /^模型不存在/,
    // Bedrock.
    /^the provided model identifier is invalid/i,
    /^invocation of model id /i,
    /^you don['’]t have access to the model/i,
    /^your organization does not have access to model/i,
    // Gemini.
    /^\* GenerateContentRequest\.model: unexpected model name/,
    // LM Studio under a 200, other servers under a 400: the path is missing.
    /^un(?:expected|supported|known) (?:endpoint|path|route|request url)\b/i,
    /^invalid url \((?:GET|POST) /i,
    // llama-swap.
    /^could not find (?:real modelID|suitable inference handler) for/,
  ],
};

/** A limit of a minute, in the words of billing: can1357/oh-my-pi#8496. */
const ALIBABA_LIMITED: ErrorPattern = {
  status: 429,
  names: new Set(),
  beginnings: [/^You exceeded your current quota\b[^#]{0,200}\/error-code#token-limit/],
};

/** Our credential there, or our money. */
const ACCOUNT: ErrorPattern = {
  status: 401,
  names: names(
    `insufficientquota insufficientuserquota insufficientbalance insufficientbalanceerror
     insufficientcredits insufficientfunds billinghardlimitreached billingnotactive billingerror
     creditbalanceexhausted projectspendlimitexceeded organizationspendlimitexceeded
     organizationusagelimitexceeded exceededcurrentquotaerror accountoverdueerror arrearage
     invalidapikey apikeyinvalid apikeyexpired authenticationerror invalidauthenticationerror
     accountdeactivated accessterminated accessterminatederror userblocked
     unsupportedcountryregionterritory
     1113 1309 30001 30011`,
  ),
  beginnings: [
    /^Insufficient (?:Balance|credits)/i,
    /^Your credit balance is too low/,
    // Anthropic: anthropics/claude-code#4684, #8327; to a subscription:
    // leohenon/pi-anthropic-oauth#24.
    /^This organization has been disabled/,
    /^You have reached your specified (?:workspace )?API usage limits/,
    /^Third-party apps now draw from your extra usage/,
    // Gemini, also without its details: Wei-Shaw/sub2api#1709, continuedev/continue#10290.
    /^API key (?:not valid|not found|expired)/i,
    /^Your prepayment credits are depleted/,
    // Gemini, where the operator's machine is in a country that it does not serve, or serves only
    // those who pay: poenl/gemini-api#4, kolbytn/mindcraft#133.
    /^User location is not supported/,
    /^Gemini API free tier is not available/,
    // xAI, under 400: continuedev/continue#10778.
    /^Incorrect API key provided/,
    // xAI.
    /^Your team \S+ has either used all available credits/,
    /^Your newly created team doesn't have any credits/,
    /^(?:用户|账户|账号)?(?:额度|余额)不足/,
  ],
};

const LIMITED: ErrorPattern = {
  status: 429,
  names: names(
    `ratelimitexceeded ratelimiterror ratelimited ratelimitreached resourceexhausted
     toomanyrequests throttling throttlingexception throttlingratequota limitrequests
     engineoverloadederror usagelimitreached 1302 1303 1304 1305 1308 1310 1312 1313 1316`,
  ),
  // Mistral, whose type says that the request is invalid: continuedev/continue#6185.
  beginnings: [/^Service tier capacity exceeded/],
};

/** The prompt is against the upstream's policy. */
const FLAGGED: ErrorPattern = {
  status: 400,
  // OpenAI, Azure, Moonshot; Alibaba, Volcengine; Zhipu ("1301"); new-api.
  names: names(
    `contentpolicyviolation contentfilter contentfiltered moderationblocked
     responsibleaipolicyviolation datainspectionfailed sensitivecontentdetected
     inputtextsensitivecontentdetected inputimagesensitivecontentdetected
     outputtextsensitivecontentdetected sensitivewordsdetected cyberpolicy biopolicy 1301`,
  ),
  // OpenAI, whose code for it has other meanings: microsoft/PyRIT#1463.
  beginnings: [/^Invalid prompt: (?:we've limited access|your prompt was flagged)/],
};

/** The prompt does not fit into the model's context, alone or together with what it asks for. */
const TOO_LONG: ErrorPattern = {
  status: 400,
  names: names(
    `contextlengthexceeded contextwindowexceeded exceedcontextsizeerror
     modelmaxprompttokensexceeded tokenstoolong 1261 3051`,
  ),
  beginnings: [
    // Anthropic, Bedrock, Fireworks.
    /^(?:the )?(?:prompt|input) is too long/i,
    /^input length and `max_tokens` exceed context limit/i,
    // OpenAI, vLLM, OpenRouter; xAI.
    /^This (?:model|endpoint)'s maximum (?:context|prompt) length is/,
    // vLLM.
    /^You passed \d+ input tokens and requested/,
    /^The (?:\w+ )?prompt \(length \d+\) is longer than/,
    // SGLang.
    /^The input \(\d+ tokens\) is longer than the model's context length/,
    /^Requested token count exceeds the model's maximum context length/,
    // TGI, and Together.
    /^Input validation error: `inputs` (?:tokens|must have less than)/,
    // Gemini.
    /^The input token count .*exceeds the maximum/,
    // llama.cpp; LM Studio.
    /^(?:the )?request .*exceeds the available context size/i,
    /^Trying to keep the first \d+ tokens when context/,
    // Groq, Cerebras.
    /^Please reduce the length of the (?:messages|prompt)/,
    /^Prompt contains \d+ tokens/,
    // Cohere.
    /^too many tokens: /,
    // GitHub.
    /^prompt token count of \d+ exceeds the limit/,
    // SiliconFlow.
    /^length of prompt_tokens \(\d+\) must be less than/,
    // Volcengine.
    /^Total tokens of image and text exceed max message tokens/,
    // Alibaba: github.com/QwenLM/qwen-code/issues/98.
    /^(?:<400> InternalError\.Algo\.InvalidParameter: )?Range of input length should be/,
    // Moonshot: github.com/MoonshotAI/kimi-cli/issues/2011.
    /^(?:Invalid request: )?Your request exceeded model token limit/,
    // Zhipu: github.com/mangowhoiscloud/geode/pull/668.
    /^Prompt (?:exceeds max length|超长)/,
    // MiniMax: github.com/MiniMax-AI/MiniMax-M2/issues/119.
    /^invalid params, context window exceeds limit/,
    /^litellm\.ContextWindowExceededError/,
  ],
};

const PATTERNS = [MODEL_UNKNOWN, ALIBABA_LIMITED, ACCOUNT, FLAGGED, TOO_LONG, LIMITED] as const;

/**
 * Returns the status under which an error would be judged rightly; undefined when its names and
 * words do not tell.
 * @param error the body's error object
 */
export function namedStatus(error: JsonObject): number | undefined {
  const words = extractMessage(error) ?? '';
  return PATTERNS.find((pattern) => matches(error, words, pattern))?.status;
}

export function isContextOverflow(error: JsonObject): boolean {
  return matches(error, extractMessage(error) ?? '', TOO_LONG);
}

export function isFlagged(error: JsonObject): boolean {
  return matches(error, extractMessage(error) ?? '', FLAGGED);
}

function matches(error: JsonObject, words: string, pattern: ErrorPattern): boolean {
  const { code, type, status, reason, innererror: inner } = error;
  const innerCode = isJsonObject(inner) ? inner['code'] : undefined;
  for (const value of [code, type, status, reason, innerCode]) {
    if (pattern.names.has(plainName(value))) return true;
  }
  return pattern.beginnings.some((beginning) => beginning.test(words));
}

/** Vendors write "model_not_found", "ModelNotFound" and "Model.NotFound", numbers and texts. */
function plainName(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
    : '';
}
