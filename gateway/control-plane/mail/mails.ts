import type { Mail } from './mailer.ts';

export type MailLanguage = 'en' | 'zh-CN';

export type MailKind =
  | 'verify'
  | 'choose'
  | 'known'
  | 'reset'
  | 'keys_disabled'
  | 'welcome'
  | 'member_invitation'
  | 'reset_by_admin'
  | 'email_taken_away'
  | 'email_given'
  | 'renewal_unpaid'
  | 'renewal_suspended'
  | 'renewal_withdrawn';

interface Words {
  readonly subject: (site: string) => string;
  readonly text: (site: string, link: string) => string;
}

/** Every mail in every language. No HTML: it says what to do and shows the link. */
const WORDS: Readonly<Record<MailKind, Readonly<Record<MailLanguage, Words>>>> = {
  verify: {
    en: {
      subject: (site) => `Confirm your e-mail address for ${site}`,
      text: (site, link) =>
        `Someone registered at ${site} with this address.\n\nIf it was you, confirm it within 24 hours:\n${link}\n\nIf it was not, do not open the link, which would let that person in; ignore this mail, and nothing will happen.\n`,
    },
    'zh-CN': {
      subject: (site) => `确认你在 ${site} 的邮箱`,
      text: (site, link) =>
        `有人用此邮箱在 ${site} 注册。\n\n如果是你本人，请在 24 小时内打开以下链接确认：\n${link}\n\n如果不是，请勿打开链接（否则注册者将可登录），忽略此邮件即可。\n`,
    },
  },
  choose: {
    en: {
      subject: (site) => `Choose your password for ${site}`,
      text: (site, link) =>
        `Someone registered at ${site} with this address more than once, with different passwords. As any of them may be someone else's, none counts, and earlier links no longer work.\n\nIf it was you, choose your password within 24 hours; this confirms the address too:\n${link}\n\nIf it was not, ignore this mail; nothing will happen.\n`,
    },
    'zh-CN': {
      subject: (site) => `设置你在 ${site} 的密码`,
      text: (site, link) =>
        `有人用此邮箱在 ${site} 注册了不止一次，且密码不同。由于无法确定哪个密码属于你，这些密码均无效，之前的链接也已失效。\n\n如果是你本人，请在 24 小时内打开以下链接设置密码，同时完成邮箱确认：\n${link}\n\n如果不是，请忽略此邮件。\n`,
    },
  },
  known: {
    en: {
      subject: (site) => `You already have an account at ${site}`,
      text: (site, link) =>
        `Someone tried to register at ${site} with this address, which already has an account.\n\nIf it was you, log in, or choose a new password here within one hour, which ends every session and revokes every access token, and, if the address was never confirmed, disables API keys and removes the second factor:\n${link}\n\nIf it was not, ignore this mail.\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 已有账户`,
      text: (site, link) =>
        `有人尝试用此邮箱在 ${site} 注册，但该邮箱已有账户。\n\n如果是你本人，请直接登录，或在一小时内通过以下链接重设密码（所有会话都会结束，所有访问令牌都会被吊销；如果邮箱从未确认过，API 密钥会被停用，双重验证会被移除）：\n${link}\n\n如果不是，请忽略此邮件。\n`,
    },
  },
  reset: {
    en: {
      subject: (site) => `Choose a new password for ${site}`,
      text: (site, link) =>
        `Someone asked for a new password at ${site} for this address.\n\nIf it was you, choose one within one hour:\n${link}\n\nThis ends every session and revokes every access token. API keys keep working, unless this is the first time that you show that the address is yours: then keys are disabled until you enable them, and a second factor is removed.\n\nIf it was not, ignore this mail; your password stays as it is.\n`,
    },
    'zh-CN': {
      subject: (site) => `重设 ${site} 的密码`,
      text: (site, link) =>
        `有人为此邮箱申请重设 ${site} 的密码。\n\n如果是你本人，请在一小时内打开以下链接：\n${link}\n\n重设后所有会话都会结束，所有访问令牌都会被吊销；API 密钥继续有效。但如果这是首次证明此邮箱属于你，密钥会被停用（可重新启用），双重验证会被移除。\n\n如果不是，请忽略此邮件，密码不会改变。\n`,
    },
  },
  keys_disabled: {
    en: {
      subject: (site) => `Your API keys at ${site} are disabled`,
      text: (site, link) =>
        `You have chosen a password at ${site}, and with it shown for the first time that this address is yours. Before, someone else could have registered it and made API keys, so the keys of your account are disabled.\n\nIf you made them yourself, enable them here; delete those that you do not know:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的 API 密钥已停用`,
      text: (site, link) =>
        `你已在 ${site} 设置密码，首次证明此邮箱属于你。在此之前，他人可能用此邮箱注册并创建过 API 密钥，因此账户的密钥已全部停用。\n\n如果密钥是你创建的，请在此重新启用；不认识的密钥请删除：\n${link}\n`,
    },
  },
  welcome: {
    en: {
      subject: (site) => `Your account at ${site}`,
      text: (site, link) =>
        `An account was opened for you at ${site}.\n\nChoose a password within seven days:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的账户`,
      text: (site, link) =>
        `${site} 已为你开通账户。\n\n请在七天内打开以下链接设置密码：\n${link}\n`,
    },
  },
  member_invitation: {
    en: {
      subject: (site) => `You are invited to an account at ${site}`,
      text: (site, link) =>
        `A member of an account at ${site} invites you to join it.\n\nSee who invites you, and accept or not, within seven days:\n${link}\n\nThe link is for this address alone and works once. If you do not expect it, ignore this mail.\n`,
    },
    'zh-CN': {
      subject: (site) => `邀请你加入 ${site} 的账户`,
      text: (site, link) =>
        `${site} 的一位账户成员邀请你加入其账户。\n\n请在七天内打开以下链接，查看邀请人并决定是否接受：\n${link}\n\n此链接仅供此邮箱使用一次。如果你不认识邀请人，请忽略此邮件。\n`,
    },
  },
  reset_by_admin: {
    en: {
      subject: (site) => `Choose a new password for ${site}`,
      text: (site, link) =>
        `An administrator of ${site} has reset your password. You were logged out everywhere, and your access tokens are revoked. API keys go on working.\n\nChoose a new password within 24 hours:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `设置 ${site} 的新密码`,
      text: (site, link) =>
        `${site} 的管理员已重置你的密码。所有会话都已结束，所有访问令牌都已被吊销；API 密钥继续有效。\n\n请在 24 小时内打开以下链接设置新密码：\n${link}\n`,
    },
  },
  email_taken_away: {
    en: {
      subject: (site) => `Your e-mail address at ${site} was changed`,
      text: (site, link) =>
        `An administrator of ${site} has changed the address of your account. You no longer log in with this one.\n\nIf you did not ask for it, say so here:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的邮箱已更改`,
      text: (site, link) =>
        `${site} 的管理员已更改你账户的邮箱，此邮箱不再用于登录。\n\n如果这不是你的要求，请在此联系我们：\n${link}\n`,
    },
  },
  email_given: {
    en: {
      subject: (site) => `Your e-mail address at ${site} was changed`,
      text: (site, link) =>
        `An administrator of ${site} has changed the address of your account to this one. Your password stays.\n\nLog in with it here:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的邮箱已更改`,
      text: (site, link) =>
        `${site} 的管理员已将你账户的邮箱改为此邮箱，密码不变。\n\n请在此登录：\n${link}\n`,
    },
  },
  renewal_unpaid: {
    en: {
      subject: (site) => `Your plan at ${site} was not renewed`,
      text: (site, link) =>
        `Your plan at ${site} has ended: the balance did not cover its renewal.\n\nTop up and buy it again here:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的套餐未能续订`,
      text: (site, link) =>
        `你在 ${site} 的套餐已到期：余额不足以续订。\n\n请在此充值并重新购买：\n${link}\n`,
    },
  },
  renewal_suspended: {
    en: {
      subject: (site) => `Your plan at ${site} was not renewed`,
      text: (site, link) =>
        `Your plan at ${site} has ended: your account is suspended, so it was not renewed and nothing was charged.\n\nWhen the account is active again you can buy it here:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的套餐未能续订`,
      text: (site, link) =>
        `你在 ${site} 的套餐已到期：你的账户已暂停，因此套餐未续订，也未扣费。\n\n账户恢复后可在此重新购买：\n${link}\n`,
    },
  },
  renewal_withdrawn: {
    en: {
      subject: (site) => `Your plan at ${site} was not renewed`,
      text: (site, link) =>
        `Your plan at ${site} has ended: it is no longer for sale, so it was not renewed and nothing was charged.\n\nChoose another here:\n${link}\n`,
    },
    'zh-CN': {
      subject: (site) => `你在 ${site} 的套餐未能续订`,
      text: (site, link) =>
        `你在 ${site} 的套餐已到期：该套餐已停售，因此未续订，也未扣费。\n\n请在此选择其他套餐：\n${link}\n`,
    },
  },
};

export function writeMail(
  kind: MailKind,
  options: {
    readonly to: string;
    readonly siteName: string;
    readonly language: MailLanguage | null;
    readonly link: string;
  },
): Mail {
  const words = WORDS[kind][options.language ?? 'en'];
  return {
    to: options.to,
    // A line break in a name must not become a header of its own.
    subject: words.subject(options.siteName.replace(/[\r\n]+/g, ' ')),
    text: words.text(options.siteName, options.link),
    link: options.link,
  };
}
