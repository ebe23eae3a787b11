import { t } from '@lingui/core/macro';
import {
  type EndpointSummary,
  fullNameOf,
  getFaq,
  LIMITS,
  listApps,
  listRoles,
  type Profile,
  searchUsers,
} from '@orchestrate/shared';
import { AppWindow, CircleHelp, CodeXml, Languages, UserCog, UserRound } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import { memberAddress } from '#lib/address/member-address.ts';
import { useModal } from '#lib/address/use-modal.ts';
import { timedFetch } from '#lib/api/timed-fetch.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useColourMode } from '#lib/browser/colour-mode.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { paths } from '#paths.ts';
import { otherLanguages } from '#words/language.ts';
import { type Command, commandsFor, findByWordStarts, findCommands, readRecentCommands } from './commands.ts';
import { canOpenPath, type MenuGroup } from './menu.ts';
import { useChangeLanguage } from './profile-menu.tsx';

/** Maximum number of results of one kind that the portal finds. */
const SHOWN = 6;

interface MemberCommands {
  commands: Command[];
  maySearch: boolean;
  isSearching: boolean;
}

/** Searches members by name, email or attribute if the user has permission. */
function useMemberCommands(query: string): MemberCommands {
  const hasRoom = useHasRoomForAdministration();
  const maySearch = useCan('SEARCH_USER') && hasRoom;
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  // Count code points, so that an emoji is one character.
  const isLongEnough = [...wanted].length >= LIMITS.searchMinLength;
  const isAsked = maySearch && isLongEnough;
  const { data, isLoading } = useRead(
    searchUsers,
    isAsked && q === wanted ? { query: { q, field: 'any', pageSize: SHOWN } } : null,
  );

  const commands = (data?.Items ?? []).map(
    (member): Command => ({
      id: member.suid,
      label: fullNameOf(member),
      detail: member.primaryEmail,
      icon: UserRound,
      section: t`Members`,
      to: memberAddress(paths.member, member),
    }),
  );
  return { commands, maySearch, isSearching: isLoading || (isAsked && q !== wanted) };
}

/** Tabs of an application's editor, by path segment. */
const APP_TABS = [
  ['configuration', t`Configuration`],
  ['login-options', t`Login options`],
  ['access', t`Access`],
  ['provisioning', t`Provisioning`],
  ['history', t`Activity`],
] as const;
/** Tabs that the portal application has. */
const PORTAL_TABS: readonly string[] = ['login-options', 'history'];

/** Returns a command for each application, role and question that the user can open. */
function useContentCommands(profile: Profile, isSearching: boolean, hasWords: boolean): Command[] {
  const hasRoom = useHasRoomForAdministration();
  const orgCode = useSession()?.orgId ?? '';
  const canOpen = (path: string) => isSearching && hasRoom && canOpenPath(path, profile);
  const apps = useRead(listApps, canOpen(paths.applications) ? { params: { orgCode } } : null).data?.apps ?? [];
  const roles = useRead(listRoles, canOpen(paths.roleManagement) ? {} : null).data?.Items ?? [];
  const faq = useRead(getFaq, isSearching ? {} : null).data?.categories ?? [];
  return [
    ...apps.map(({ appId, name, integrationType }): Command => {
      const to = paths.application(appId);
      const context = integrationType.toUpperCase();
      return { id: to, label: name, synonyms: context, icon: AppWindow, section: t`Applications`, context, to };
    }),
    // Only with the name of the application and of the tab: a single word would find all tabs of an application.
    ...(hasWords ? apps : []).flatMap(({ appId, name, integrationType }) =>
      APP_TABS.filter(([tab]) => integrationType !== 'portal' || PORTAL_TABS.includes(tab)).map(
        ([tab, label]): Command => {
          const to = `${paths.application(appId)}/${tab}`;
          return { id: to, label: t`${name}: ${label}`, icon: AppWindow, section: t`Applications`, to };
        },
      ),
    ),
    ...roles.map(({ roleCode, name }): Command => {
      const to = `${paths.roleManagement}?role=${encodeURIComponent(roleCode)}`;
      return { id: to, label: name, icon: UserCog, section: t`Roles`, to };
    }),
    ...faq.flatMap(({ subcategories }) =>
      subcategories.flatMap(({ records }) =>
        records.map(({ recordId, question }): Command => {
          const to = `${paths.ownFaq}#${recordId}`;
          return { id: to, label: question, icon: CircleHelp, section: t`Help`, context: 'FAQ', to };
        }),
      ),
    ),
  ];
}

async function readEndpoints(path: string): Promise<EndpointSummary[]> {
  const response = await timedFetch(path);
  return response.ok ? response.json() : [];
}

/**
 * Returns commands that open endpoints in the API reference, by method, path and title. Only for a path or several
 * words: a single word would find dozens.
 */
function useEndpointCommands(query: string, hasWords: boolean): Command[] {
  const { data = [] } = useSWR('/docs/endpoints.json', readEndpoints);
  if (!hasWords && !query.includes('/')) return [];
  const commands = data.map(
    ({ id, method, path, area, summary }): Command => ({
      id: `endpoint-${id}`,
      label: `${method} ${path}`,
      detail: summary,
      synonyms: `${id} ${area} ${method} /api${path}`,
      icon: CodeXml,
      section: t`API reference`,
      context: area,
      to: `${paths.docs}/${id}`,
    }),
  );
  return findByWordStarts(commands, query).slice(0, SHOWN);
}

/** Returns commands that change the language. */
function useLanguageCommands(): Command[] {
  const change = useChangeLanguage();
  return otherLanguages().map(([tag, name]) => ({
    id: `language-${tag}`,
    label: name,
    synonyms: t({ context: 'synonyms', message: 'language, translation, German, English' }),
    icon: Languages,
    section: t`Actions`,
    run: () => void change(tag),
  }));
}

/** Returns the commands that match the query. Without a query, returns the recent commands and then all others. */
export function useFound(query: string, profile: Profile, groups: readonly MenuGroup[]) {
  const { open: openModal } = useModal();
  const { toggle: toggleColourMode } = useColourMode();
  const hasRoom = useHasRoomForAdministration();
  const isSearching = query.trim() !== '';
  const shell = [...commandsFor(profile, groups, { hasRoom, openModal, toggleColourMode }), ...useLanguageCommands()];
  const hasWords = /\S\s+\S/.test(query);
  const content = useContentCommands(profile, isSearching, hasWords);
  const endpoints = useEndpointCommands(query, hasWords);
  const members = useMemberCommands(query);
  const [recentIds] = useState(readRecentCommands);
  if (isSearching)
    return {
      members,
      shell,
      found: [...findCommands([...shell, ...content], query), ...members.commands, ...endpoints],
    };
  const recent = recentIds.flatMap((id) => shell.find((command) => command.id === id) ?? []);
  const others = shell.filter((command) => !recent.includes(command) && !command.to?.includes('#'));
  const bySection = [...Map.groupBy(others, ({ section }) => section).values()].flat();
  return { members, shell, found: [...recent.map((command) => ({ ...command, section: t`Recent` })), ...bySection] };
}
