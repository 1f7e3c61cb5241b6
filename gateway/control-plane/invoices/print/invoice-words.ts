import type { InvoiceKind } from '@weir/shared/money/invoices';
import type { MailLanguage } from '../../mail/mails.ts';

interface InvoiceWords {
  readonly title: Readonly<Record<InvoiceKind, string>>;
  readonly number: string;
  readonly issued: string;
  readonly paid: string;
  readonly order: string;
  readonly refersTo: string;
  readonly from: string;
  readonly to: string;
  readonly taxId: string;
  readonly item: string;
  readonly amount: string;
  readonly topUp: (site: string) => string;
  readonly plan: (plan: string, site: string) => string;
  readonly refundOf: (item: string) => string;
  readonly net: string;
  readonly tax: (label: string, percent: string) => string;
  readonly total: Readonly<Record<InvoiceKind, string>>;
}

/** The texts of an invoice in the languages of Weir. */
export const INVOICE_WORDS: Readonly<Record<MailLanguage, InvoiceWords>> = {
  en: {
    title: { invoice: 'Invoice', credit_note: 'Credit note' },
    number: 'Number',
    issued: 'Date of issue',
    paid: 'Paid on',
    order: 'Order',
    refersTo: 'Corrects',
    from: 'From',
    to: 'To',
    taxId: 'Tax ID',
    item: 'Item',
    amount: 'Amount',
    topUp: (site) => `Prepaid credit for ${site}`,
    plan: (plan, site) => `Plan ${plan} of ${site}`,
    refundOf: (item) => `Refund: ${item}`,
    net: 'Net',
    tax: (label, percent) => `${label} ${percent} %`,
    total: { invoice: 'Total paid', credit_note: 'Total refunded' },
  },
  'zh-CN': {
    title: { invoice: '收款凭证（Invoice）', credit_note: '退款凭证（Credit note）' },
    number: '编号',
    issued: '开具日期',
    paid: '付款日期',
    order: '订单',
    refersTo: '冲正',
    from: '开具方',
    to: '客户',
    taxId: '税号',
    item: '项目',
    amount: '金额',
    topUp: (site) => `${site} 预付余额`,
    plan: (plan, site) => `${site} 套餐：${plan}`,
    refundOf: (item) => `退款：${item}`,
    net: '不含税金额',
    tax: (label, percent) => `${label} ${percent} %`,
    total: { invoice: '已付总额', credit_note: '退款总额' },
  },
};
