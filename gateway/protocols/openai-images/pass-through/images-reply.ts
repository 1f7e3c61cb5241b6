import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../../platform/json/scan-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { shapes, strip } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/known-fields.ts';
import { ListReply } from '../../openai-family/list-reply.ts';
import { dropPurchasePrice } from '../../openai-family/usage.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import type { DeliveredImages } from '../wire/delivered-images.ts';
import { estimatedCounts, imagesUsage, reportedCounts } from '../wire/image-counts.ts';
import { variantWord } from '../wire/variant.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { elementsOf } from './elements.ts';

/** OpenAI's published fields (`ImagesResponse` of its SDK). The images are not looked into. */
const IMAGES_REPLY_FIELDS = shapes('created background output_format quality size model', [
  ['data', 'any'],
  ['usage', USAGE_FIELDS],
]);

const ELEMENT_DEPTH_MAX = 16;
/** An image in base64, or its address. */
const IMAGE_NAMES = ['b64_json', 'url'];

/** Reads a reply with images; undefined when it is none. */
export function readImages(
  received: Buffer,
  { model, variant: asked }: ImagesRequest,
  terms?: ReplyTerms,
): (Reply & DeliveredImages) | undefined {
  const body = withoutByteOrderMark(received);
  const reply = ListReply.read(body, 'data');
  if (reply === undefined) return undefined;
  const { members } = reply;
  const count = elementsOf(reply.list).filter((element) => isImage(element)).length;
  const size = variantWord(reply.textAt('size')) ?? asked.size;
  const quality = variantWord(reply.textAt('quality')) ?? asked.quality;
  const made = { count, variant: { size, quality } };
  const usage = reply.objectAt('usage');
  const reported = reportedCounts(usage, made);
  if (count === 0 && reported === null) return undefined;
  const passesAll = terms?.fieldPolicy === 'all';
  const edits: MemberEdit[] = passesAll
    ? []
    : reply.unknownNames(IMAGES_REPLY_FIELDS).map((name) => ({ name, value: undefined }));
  if (findMember(body, members, 'model') !== -1) {
    edits.push({ name: 'model', value: JSON.stringify(model) });
  }
  const isChanged =
    usage !== undefined && (passesAll ? dropPurchasePrice(usage) : strip(usage, USAGE_FIELDS));
  const own = isChanged ? [{ name: 'usage', value: JSON.stringify(usage) }] : [];
  return {
    bytes: rewriteMembers(body, members, [...edits, ...own]),
    withUsage: (counts) => {
      const counted = { name: 'usage', value: JSON.stringify(imagesUsage(counts)) };
      return rewriteMembers(body, members, [...edits, counted]);
    },
    usage: reported,
    countDelivered: () => estimatedCounts(made),
    deliveredText: () => '',
  };
}

/** Reports if an element has an image: some vendors put the error of an image in its place. */
function isImage(element: Buffer): boolean {
  const members = scanMembers(element, ELEMENT_DEPTH_MAX);
  return IMAGE_NAMES.some((name) => {
    const member = findMember(element, members, name);
    if (member === -1) return false;
    const start = members.offsets[member * 4 + 2] ?? 0;
    const begins = element.toString('latin1', start, start + 8).trimStart();
    return begins.startsWith('"') && !begins.startsWith('""');
  });
}
