import { t } from '@lingui/core/macro';
import type { Profile } from '@orchestrate/shared';
import {
  BookOpenText,
  History,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Mail,
  MailOpen,
  Plus,
  Smartphone,
  SunMoon,
  UserPlus,
  UserRoundPen,
} from 'lucide-react';
import type { ModalName } from '#lib/address/use-modal.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { hasPermission } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import type { MenuGroup } from './menu.ts';

/** A command of the palette. */
export interface Command {
  /** Unique and stable, because recently used commands are stored by it. */
  id: string;
  label: string;
  /** Text after the label, e.g. to tell apart commands with the same label. It is searched too. */
  detail?: string;
  /** Other phrases that users search for, separated by commas. Displayed only if the query finds them. */
  synonyms?: string;
  icon: LucideIcon;
  /** Heading above the command. */
  section: string;
  /** Text at the end of the row, e.g. the screen's menu group. */
  context?: string | undefined;
  /** URL of the screen that the command opens. Only commands with a URL can be opened in a new tab. */
  to?: string;
  /** Runs a command without a URL. */
  run?: () => void;
}

export interface CommandActions {
  /** True if the window is wide enough for the administration screens. */
  hasRoom: boolean;
  openModal: (modal: ModalName) => void;
  toggleColourMode: () => void;
}

/**
 * Words that users search for, by the path of the screen or the name of the dialog that they mean. They are displayed
 * only if the query finds them, so they also contain terms that this product doesn't use, such as `log in`.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  [paths.dashboard]: t({
    context: 'synonyms',
    message: 'home, my devices, lost phone, login history, remembered browsers',
  }),
  [paths.ownApplications]: t({ context: 'synonyms', message: 'my apps, launch, single sign-on, SSO' }),
  'test-device': t({ context: 'synonyms', message: 'try phone, check authenticator' }),
  [paths.ownFaq]: t({ context: 'synonyms', message: 'help, questions, support' }),
  [paths.manageUsers]: t({
    context: 'synonyms',
    message: 'members, people, employees, accounts, lost device, activation code',
  }),
  [paths.invitations]: t({ context: 'synonyms', message: 'pending invites, CSV, bulk' }),
  [paths.directReports]: t({ context: 'synonyms', message: 'team, direct reports' }),
  [paths.authenticateCaller]: t({ context: 'synonyms', message: 'help desk, verify identity, phone call' }),
  [paths.applications]: t({
    context: 'synonyms',
    message:
      'apps, clients, OIDC, OpenID Connect, OAuth, SAML, RADIUS, LDAP, directory, VPN, SSO, single sign-on, redirect URI',
  }),
  [paths.signIns]: t({ context: 'synonyms', message: 'logins, failed, authentication log, history' }),
  [paths.activity]: t({ context: 'synonyms', message: 'audit log, changes, trail, history' }),
  [paths.oidcPortalAuth]: t({
    context: 'synonyms',
    message: 'external provider, identity provider, federation, SSO, single sign-on, Google, Microsoft, Entra, Okta',
  }),
  [paths.branding]: t({ context: 'synonyms', message: 'logo, colour, theme, appearance, organisation name' }),
  [paths.loginOptions]: t({
    context: 'synonyms',
    message: 'session length, timeout, cookie, push, QR code, passkey, multi-factor, MFA',
  }),
  [paths.idpConfiguration]: t({
    context: 'synonyms',
    message: 'SAML, certificate, metadata, signing keys, JWKS, identity provider',
  }),
  [paths.userProvisioning]: t({
    context: 'synonyms',
    message: 'SCIM, directory, sync, Entra, Okta, schema, API token',
  }),
  [paths.roleManagement]: t({ context: 'synonyms', message: 'permissions, rights, admins, access' }),
  [paths.security]: t({
    context: 'synonyms',
    message: 'IP addresses, network, allowlist, sign-up, registration, privacy',
  }),
  [paths.manageFaq]: t({ context: 'synonyms', message: 'help, articles, questions' }),
  [paths.webhooks]: t({ context: 'synonyms', message: 'events, callbacks, API, integrations, signatures' }),
  [paths.mails]: t({ context: 'synonyms', message: 'email templates, notifications, SMTP' }),
  [paths.configurationFile]: t({ context: 'synonyms', message: 'export, import, backup, JSON, YAML' }),
};

/** Parts of screens, by URL with the ID of their section. */
const PARTS: readonly (readonly [to: string, label: string, synonyms: string])[] = [
  [
    `${paths.security}#network`,
    t`Network`,
    t({ context: 'synonyms', message: 'IP ranges, allowlist, block, firewall' }),
  ],
  [
    `${paths.security}#sign-up`,
    t`Sign-up and devices`,
    t({ context: 'synonyms', message: 'registration, self-service, new devices' }),
  ],
  [`${paths.security}#privacy`, t`Account privacy`, t({ context: 'synonyms', message: 'unknown users, enumeration' })],
  [
    `${paths.loginOptions}#sessions`,
    t`Sessions`,
    t({ context: 'synonyms', message: 'session length, idle timeout, cookie lifetime' }),
  ],
  [
    `${paths.loginOptions}#methods`,
    t`Sign-in methods`,
    t({ context: 'synonyms', message: 'push, QR code, typed code, passkey' }),
  ],
  [`${paths.branding}#logo`, t`Logo`, t({ context: 'synonyms', message: 'picture, image, icon' })],
  [
    `${paths.branding}#sign-in-page`,
    t`Sign-in page`,
    t({ context: 'synonyms', message: 'title, welcome text, theme' }),
  ],
  [
    `${paths.idpConfiguration}#signing-keys`,
    t`OpenID Connect signing keys`,
    t({ context: 'synonyms', message: 'rotation, JWKS, certificate' }),
  ],
];

/** Returns a user's commands: the screens in the menu, their parts, and actions. */
export function commandsFor(
  profile: Profile,
  groups: readonly MenuGroup[],
  { hasRoom, openModal, toggleColourMode }: CommandActions,
): Command[] {
  const screens = t`Screens`;
  const actions = t`Actions`;
  const fromMenu = groups.flatMap(({ heading, items }) =>
    items.map(({ label, icon, to, opens }): Command => {
      const id = to ?? opens ?? label;
      const basics = { id, label, icon, synonyms: SYNONYMS[id] ?? '', context: heading };
      return to
        ? { ...basics, section: screens, to }
        : { ...basics, section: actions, run: () => opens && openModal(opens) };
    }),
  );
  const parts = PARTS.flatMap(([to, label, synonyms]): Command[] => {
    const screen = fromMenu.find((command) => command.to === to.split('#')[0]);
    return screen ? [{ id: to, label, synonyms, icon: screen.icon, section: screens, context: screen.label, to }] : [];
  });
  const more: Command[] = [
    { id: 'login-history', label: t`Login History`, icon: History, section: screens, to: paths.loginHistory },
  ];
  const canInvite = hasRoom && hasPermission(profile, 'BULK_INVITE');
  if (canInvite && !fromMenu.some(({ to }) => to === paths.invitations)) {
    const synonyms = SYNONYMS[paths.invitations] ?? '';
    const basics = { id: paths.invitations, label: t`Invitations`, icon: MailOpen, synonyms };
    more.push({ ...basics, section: screens, to: paths.invitations });
  }
  const action = (id: ModalName, label: string, icon: LucideIcon, synonyms = ''): Command => {
    return { id, label, icon, synonyms, section: actions, run: () => openModal(id) };
  };
  if (canInvite) {
    more.push(
      action('invite', t`Invite users`, Mail, t({ context: 'synonyms', message: 'CSV, bulk, members' })),
      action('add-user', t`Add user`, UserPlus, t({ context: 'synonyms', message: 'create member, new account' })),
    );
  }
  const provisioning = fromMenu.find(({ to }) => to === paths.userProvisioning);
  if (provisioning)
    more.push({
      id: 'add-scim-token',
      label: t`Add a SCIM token`,
      synonyms: t({ context: 'synonyms', message: 'API token, bearer, Entra, Okta' }),
      icon: KeyRound,
      section: actions,
      context: provisioning.label,
      to: `${paths.userProvisioning}?modal=add-token`,
    });
  if (profile.hasPermissionForMobileApp || profile.hasPermissionForWindowsApp)
    more.push(
      action(
        'add-device',
        t`Add device`,
        Plus,
        t({ context: 'synonyms', message: 'new phone, lost phone, authenticator, passkey, register' }),
      ),
    );
  more.push(
    action(
      'edit-profile',
      t`Edit profile`,
      UserRoundPen,
      t({ context: 'synonyms', message: 'my name, email address, account' }),
    ),
    {
      id: 'colour-mode',
      label: t`Switch light and dark mode`,
      synonyms: t({ context: 'synonyms', message: 'theme, appearance, night' }),
      icon: SunMoon,
      section: actions,
      run: toggleColourMode,
    },
    action('shortcuts', t`Keyboard shortcuts`, Keyboard, t({ context: 'synonyms', message: 'hotkeys' })),
    action('logout', t`Logout`, LogOut, t({ context: 'synonyms', message: 'log out, sign out, log off, exit' })),
  );
  const help = t`Help`;
  const pages: Command[] = [
    {
      id: paths.docs,
      label: t`API reference`,
      synonyms: t({
        context: 'synonyms',
        message: 'REST, OpenAPI, endpoints, developers, SCIM, webhooks, result codes',
      }),
      icon: BookOpenText,
      section: help,
      to: paths.docs,
    },
    {
      id: paths.authenticator,
      label: t`Authenticator`,
      synonyms: t({ context: 'synonyms', message: 'phone, approve, simulated device' }),
      icon: Smartphone,
      section: help,
      to: paths.authenticator,
    },
  ];
  return [...fromMenu, ...parts, ...more, ...pages];
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Splits a query into the words to find, without case and accents. */
const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/**
 * Returns how well a command matches, lower is better: 0 if its label starts with the query, 1 if words of its label
 * start with the words of the query, 2 if its label contains them, 3 if its other texts do. Returns undefined if a word
 * is missing.
 */
function rankOf({ label, detail = '', synonyms = '' }: Command, query: string): number | undefined {
  const words = wordsOf(query);
  const name = fold(label);
  if (name.startsWith(fold(query.trim()))) return 0;
  const starts = name.split(/[\s-]+/);
  if (words.every((word) => starts.some((start) => start.startsWith(word)))) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  const all = [name, fold(detail), fold(synonyms)].join(' ');
  return words.every((word) => all.includes(word)) ? 3 : undefined;
}

/**
 * Returns the synonyms that explain why a query finds a command whose label doesn't contain it. Paths of endpoints and
 * the command's context explain nothing.
 */
export function foundSynonyms({ label, detail = '', synonyms = '', context }: Command, query: string): string {
  const missing = wordsOf(query).filter((word) => !fold(`${label} ${detail}`).includes(word));
  return synonyms
    .split(/\s*,\s*/)
    .filter((phrase) => phrase !== context && !phrase.includes('/'))
    .filter((phrase) => missing.some((word) => fold(phrase).includes(word)))
    .join(', ');
}

/** Returns the matching commands by section. The section with the best match is first, as is the best match in it. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const found = commands.flatMap((command) => {
    const rank = rankOf(command, query);
    return rank === undefined ? [] : [{ command, rank }];
  });
  const sections = Map.groupBy(
    found.sort((one, other) => one.rank - other.rank),
    ({ command }) => command.section,
  );
  return [...sections.values()].flatMap((matches) => matches.map(({ command }) => command));
}

/** Like `findCommands`, but finds words only by how they start, and paths. For commands with long texts. */
export function findByWordStarts(commands: readonly Command[], query: string): Command[] {
  const words = wordsOf(query);
  const matching = commands.filter(({ label, detail = '', synonyms = '' }) => {
    const text = fold(`${label} ${detail} ${synonyms}`);
    const starts = text.split(/[^\p{L}\d]+/u);
    return words.every((word) =>
      word.includes('/') ? text.includes(word) : starts.some((start) => start.startsWith(word)),
    );
  });
  return findCommands(matching, query);
}

const RECENT_KEY = 'orchestrate.recent-commands';
const RECENT_COUNT = 4;

/** Returns the IDs of the commands used last in this browser, newest first. */
export const readRecentCommands = (): string[] => (readStored(RECENT_KEY) ?? '').split(' ').filter(Boolean);

/** Stores that a screen or action was used. Never call it for members, whose names must not stay in a shared browser. */
export function addRecentCommand(id: string): void {
  const next = [id, ...readRecentCommands().filter((other) => other !== id)].slice(0, RECENT_COUNT);
  writeStored(RECENT_KEY, next.join(' '));
}
