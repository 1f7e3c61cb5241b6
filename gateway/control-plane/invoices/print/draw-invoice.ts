import PDFDocument from 'pdfkit';
import type { InvoiceParty, IssuedInvoice } from '../invoice-document.ts';
import { INVOICE_WORDS } from './invoice-words.ts';

/** Points; a page of A4 is 595 wide and 842 high. */
const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const COLUMN = WIDTH / 2 - 12;
const FOOTER_TOP = 700;
const TEXT = 10;
const SMALL = 8.5;
const TITLE = 22;
const INK = '#16181d';
const SOFT = '#5c6370';
const LINE = '#d5d8de';

type Paper = InstanceType<typeof PDFDocument>;

/** Cents as an amount: `1,234.50 USD`. */
export function amountText(cents: number): string {
  const text = String(Math.abs(cents)).padStart(3, '0');
  const whole = text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}${whole}.${text.slice(-2)} USD`;
}

function percentText(ppm: number): string {
  return String(ppm / 10_000);
}

function dayText(at: string, timeZone: string): string {
  // In all languages as 2026-01-31, which nobody reads with day and month exchanged.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}

function itemOf({ kind, document }: IssuedInvoice): string {
  const words = INVOICE_WORDS[document.language];
  const { planName, siteName } = document;
  const item = planName === null ? words.topUp(siteName) : words.plan(planName, siteName);
  return kind === 'credit_note' ? words.refundOf(item) : item;
}

function rule(paper: Paper): void {
  paper
    .moveTo(MARGIN, paper.y)
    .lineTo(MARGIN + WIDTH, paper.y)
    .lineWidth(0.75)
    .strokeColor(LINE)
    .stroke();
}

function facts({ kind, number, orderId, issuedAt, document }: IssuedInvoice): [string, string][] {
  const words = INVOICE_WORDS[document.language];
  const { timeZone, paidAt, refersTo } = document;
  const all: [string, string | null][] = [
    [words.number, number],
    [words.issued, dayText(issuedAt, timeZone)],
    [words.paid, kind === 'invoice' && refersTo === null ? dayText(paidAt, timeZone) : null],
    [
      words.refersTo,
      refersTo === null ? null : `${refersTo.number} (${dayText(refersTo.issuedAt, timeZone)})`,
    ],
    [words.order, orderId],
  ];
  return all.filter((fact): fact is [string, string] => fact[1] !== null);
}

function drawHead(paper: Paper, invoice: IssuedInvoice): void {
  const words = INVOICE_WORDS[invoice.document.language];
  paper.fontSize(TITLE).fillColor(INK).text(words.title[invoice.kind], MARGIN, MARGIN);
  paper.moveDown(0.6).fontSize(TEXT);
  for (const [label, value] of facts(invoice)) {
    const top = paper.y;
    paper.fillColor(SOFT).text(label, MARGIN, top, { width: 100 });
    paper.fillColor(INK).text(value, MARGIN + 100, top, { width: WIDTH - 100 });
  }
  paper.moveDown(1.5);
}

function drawParty(
  paper: Paper,
  { name, address, taxId }: InvoiceParty,
  place: {
    readonly left: number;
    readonly top: number;
    readonly label: string;
    readonly tax: string;
  },
): number {
  const options = { width: COLUMN };
  paper.fontSize(SMALL).fillColor(SOFT).text(place.label, place.left, place.top, options);
  paper
    .fontSize(TEXT)
    .fillColor(INK)
    .text(name, place.left, paper.y + 2, options);
  if (address !== '') paper.text(address, place.left, paper.y, options);
  if (taxId !== '') paper.text(`${place.tax}: ${taxId}`, place.left, paper.y, options);
  return paper.y;
}

function drawParties(paper: Paper, { document }: IssuedInvoice): void {
  const words = INVOICE_WORDS[document.language];
  const { y: top } = paper;
  const tax = words.taxId;
  const ends = [
    drawParty(paper, document.issuer, { left: MARGIN, top, label: words.from, tax }),
    drawParty(paper, document.customer, {
      left: MARGIN + WIDTH - COLUMN,
      top,
      label: words.to,
      tax,
    }),
  ];
  paper.y = Math.max(...ends) + 28;
}

/** One line with an amount at its right end. */
function drawAmount(paper: Paper, label: string, amount: string): void {
  const top = paper.y + 7;
  paper.text(amount, MARGIN + WIDTH - 140, top, { width: 140, align: 'right' });
  paper.text(label, MARGIN, top, { width: WIDTH - 160 });
  paper.y += 7;
}

function drawSums(paper: Paper, invoice: IssuedInvoice): void {
  const { document, kind, netCents, taxCents, grossCents } = invoice;
  const words = INVOICE_WORDS[document.language];
  paper.fontSize(SMALL).fillColor(SOFT);
  drawAmount(paper, words.item, words.amount);
  rule(paper);
  paper.fontSize(TEXT).fillColor(INK);
  drawAmount(paper, itemOf(invoice), amountText(grossCents));
  rule(paper);
  if (document.taxLabel !== '') {
    drawAmount(paper, words.net, amountText(netCents));
    const rate = percentText(document.taxRatePpm);
    drawAmount(paper, words.tax(document.taxLabel, rate), amountText(taxCents));
    rule(paper);
  }
  paper.fontSize(TEXT + 2);
  drawAmount(paper, words.total[kind], amountText(grossCents));
}

/**
 * Draws an invoice on one page of A4. Nothing of the file depends on when, where or how often it is
 * drawn.
 */
export async function drawInvoice(invoice: IssuedInvoice, font: Buffer): Promise<Uint8Array> {
  const { document, number, kind, issuedAt } = invoice;
  const paper = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: document.language,
    info: {
      Title: `${INVOICE_WORDS[document.language].title[kind]} ${number}`,
      Author: document.issuer.name,
      CreationDate: new Date(issuedAt),
    },
  });
  const chunks: Buffer[] = [];
  paper.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = new Promise<void>((resolve, reject) => {
    paper.on('end', resolve).on('error', reject);
  });
  paper.registerFont('document', font).font('document');
  drawHead(paper, invoice);
  drawParties(paper, invoice);
  drawSums(paper, invoice);
  paper.fontSize(SMALL).fillColor(SOFT);
  paper.text(document.footer, MARGIN, Math.max(paper.y + 24, FOOTER_TOP), { width: WIDTH });
  paper.end();
  await end;
  return Buffer.concat(chunks);
}
