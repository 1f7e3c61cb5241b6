import type { Standing } from '@weir/shared/api/permissions';
import type { SearchHit } from '@weir/shared/api/search';
import { mayOpen } from '../core/session/page-needs';
import { menuOf, type NavLink, type World } from '../shell/navigation/nav-links';
import type { PlainKey } from '../core/i18n/i18n';
import type { HitAct } from './hit-acts';
import type { IconName } from '../design/icon/icon-paths';

/** The act of a command. */
export type CommandAct =
  | { readonly kind: 'go'; readonly path: string; readonly query?: Record<string, string> }
  | { readonly kind: 'visit'; readonly address: string }
  | { readonly kind: 'theme'; readonly theme: 'system' | 'light' | 'dark' }
  | { readonly kind: 'language'; readonly language: 'en' | 'zh-CN' }
  | { readonly kind: 'hit'; readonly act: HitAct; readonly hit: SearchHit }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'log_out' };

export interface Command {
  readonly id: string;
  readonly name: string;
  /** Next to the name. */
  readonly detail?: string;
  /** Found by these words too: the same in every language, such as a path. */
  readonly aliases: string;
  readonly icon: IconName;
  readonly group: 'page' | 'action' | 'found';
  /** The text at the end of its line. */
  readonly groupName: string;
  readonly act: CommandAct;
}

interface Situation {
  /** Undefined while no one is logged in. */
  readonly standing: Standing | undefined;
  readonly cardPayments: boolean;
  readonly supportUrl: string;
}

function actions(
  t: (key: PlainKey) => string,
  { standing, cardPayments, supportUrl }: Situation,
): Command[] {
  const action = (name: string, icon: IconName, aliases: string, act: CommandAct): Command => ({
    id: `action:${aliases}`,
    name,
    aliases,
    icon,
    group: 'action',
    groupName: t('palette.action'),
    act,
  });
  const theme = (choice: 'system' | 'light' | 'dark', icon: IconName): Command =>
    action(`${t('shell.theme')}: ${t(`theme.${choice}`)}`, icon, `theme ${choice}`, {
      kind: 'theme',
      theme: choice,
    });
  return [
    action(t('palette.createKey'), 'plus', 'create key new', {
      kind: 'go',
      path: '/keys',
      query: { open: 'new' },
    }),
    action(t('palette.redeem'), 'codes', 'redeem code', { kind: 'go', path: '/billing' }),
    ...(cardPayments
      ? [action(t('palette.topUp'), 'wallet', 'top up card', { kind: 'go', path: '/billing' })]
      : []),
    ...(mayOpen(standing, '/admin/requests')
      ? [
          action(t('palette.recentErrors'), 'warning', 'errors failed requests', {
            kind: 'go',
            path: '/admin/requests',
            query: { outcome: 'failed' },
          }),
        ]
      : []),
    action(t('shortcuts.title'), 'info', 'keyboard shortcuts help', { kind: 'shortcuts' }),
    theme('light', 'sun'),
    theme('dark', 'moon'),
    theme('system', 'system'),
    action('English', 'language', 'language english', { kind: 'language', language: 'en' }),
    action('简体中文', 'language', 'language chinese zhongwen', {
      kind: 'language',
      language: 'zh-CN',
    }),
    action(t('palette.apiReference'), 'external', 'api reference openapi', {
      kind: 'visit',
      address: '/api/reference',
    }),
    ...(supportUrl === ''
      ? []
      : [
          action(t('palette.support'), 'info', 'help support', {
            kind: 'visit',
            address: supportUrl,
          }),
        ]),
    action(t('shell.logOut'), 'logout', 'log out', { kind: 'log_out' }),
  ];
}

/** The page of a menu entry, and its parts. */
function pagesOf(link: NavLink, world: World, t: (key: PlainKey) => string): Command[] {
  return [link, ...(link.parts ?? [])].map(({ path, key }) => ({
    id: `page:${path}`,
    name: world === 'operator' ? `${t('shell.operate')}: ${t(key)}` : t(key),
    aliases: path.replaceAll('/', ' ').trim(),
    icon: link.icon,
    group: 'page',
    groupName: t('palette.page'),
    act: { kind: 'go', path },
  }));
}

/** Every command there is for this person here. */
export function allCommands(t: (key: PlainKey) => string, situation: Situation): Command[] {
  const pages = (['customer', 'operator'] as const).flatMap((world) =>
    menuOf(world, situation.standing)
      .flatMap(({ links }) => links)
      .flatMap((link) => pagesOf(link, world, t)),
  );
  return [...pages, ...actions(t, situation)];
}

/** Returns how well a command matches the typed text: smaller is better, undefined is no match. */
function rank({ name, aliases }: Command, wanted: string): number | undefined {
  const inName = name.toLowerCase().indexOf(wanted);
  if (inName === 0) return 0;
  if (inName > 0) return 1;
  const everyWord = wanted
    .split(/\s+/)
    .every((word) => `${name} ${aliases}`.toLowerCase().includes(word));
  return everyWord ? 2 : undefined;
}

/** The commands that fit, best first; all of them in their order while nothing is typed. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [...commands];
  return commands
    .flatMap((command) => {
      const place = rank(command, wanted);
      return place === undefined ? [] : [{ command, place }];
    })
    .sort((one, other) => one.place - other.place)
    .map(({ command }) => command);
}
