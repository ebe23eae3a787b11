import { chakra, Flex } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type Application,
  getApp,
  getOrgApp,
  getSessionSettings,
  listApps,
  minutes,
  type SessionSettings,
  saveOrgApp,
  sessionFields,
  updateApp,
} from '@orchestrate/shared';
import { AppWindow } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDuration } from '#lib/format/numbers.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { ReadState } from '../read-state.tsx';
import { SettingsSkeleton } from '../settings-skeleton.tsx';
import { LoginOptionSwitches, loginOptionFields } from '../shared/login-option-switches.tsx';
import { cookieLifeOf, supportsOption } from '../shared/login-options.ts';

/** An application's login options in the API format, with `maxCookieLife` in seconds. */
type AppLoginOptions = Pick<
  Application,
  'maxCookieLife' | 'didEnabled' | 'webAuthnEnabled' | 'desktopAppEnabled' | 'forceAuthnEnabled'
>;

/** Loads the organisation's options and the applications with sign-in, portals first. */
function useLoginApplications() {
  const orgCode = useSession()?.orgId ?? '';
  const apps = useRead(listApps, orgCode ? { params: { orgCode } } : null);
  const organisation = useRead(getSessionSettings, {});
  const data = apps.data &&
    organisation.data && {
      apps: apps.data.apps
        .filter(({ hasSignIn }) => hasSignIn)
        .toSorted((a, b) => Number(b.integrationType === 'portal') - Number(a.integrationType === 'portal')),
      organisation: organisation.data satisfies SessionSettings,
    };
  const refetch = () => Promise.all([apps.refetch(), organisation.refetch()]);
  return { data, refusal: apps.refusal ?? organisation.refusal, refetch };
}

/** Loads and saves an application's login options. Portals have a separate endpoint (spec 2 §7). */
function useAppOptions({ appId, orgCode, integrationType }: Application) {
  const isPortal = integrationType === 'portal';
  const portal = useRead(getOrgApp, isPortal ? { query: { appId } } : null);
  const app = useRead(getApp, isPortal ? null : { params: { orgCode, appId } });
  const portalWrite = useWrite(saveOrgApp, { invalidates: ['Applications', 'Org Settings'] });
  const appWrite = useWrite(updateApp, { invalidates: ['Applications'] });
  const save = async (options: AppLoginOptions, ifMatch: string | undefined): Promise<Versioned<AppLoginOptions>> => {
    if (isPortal) {
      const { orgApp, etag } = await portalWrite.run({ body: { appId, ...options } }, { ifMatch });
      return { values: orgApp, version: etag };
    }
    const saved = await appWrite.run({ params: { orgCode, appId }, body: options }, { ifMatch });
    return { values: saved.app, version: saved.etag };
  };
  const read = isPortal ? portal : app;
  const options = isPortal ? portal.data?.orgApp : app.data?.app;
  const data = options && { values: options, version: read.data?.etag };
  return { data, refusal: read.refusal, refetch: read.refetch, save };
}

const SECONDS = 60;
const OPTIONS = ['didEnabled', 'webAuthnEnabled', 'desktopAppEnabled', 'forceAuthnEnabled'] as const;

const appFields = sessionFields
  .pick({ didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: true })
  .extend({ maxCookieLife: minutes });

const inMinutes = (options: AppLoginOptions): AppLoginOptions => ({
  maxCookieLife: Math.ceil(options.maxCookieLife / SECONDS),
  didEnabled: options.didEnabled,
  webAuthnEnabled: options.webAuthnEnabled,
  desktopAppEnabled: options.desktopAppEnabled,
  forceAuthnEnabled: options.forceAuthnEnabled,
});

const shown = ({ values, version }: Versioned<AppLoginOptions>) => ({ values: inMinutes(values), version });

const fields = [
  ...loginOptionFields<AppLoginOptions>(OPTIONS),
  textField<AppLoginOptions>(t`Max cookie life`, 'maxCookieLife', 'minutes'),
];

const skeleton = [
  { kind: 'fields', count: 1 },
  { kind: 'switches', count: 4 },
] as const;

/** Edits the login options of the application in the URL (`?app=`). */
export function AppLevelOptions() {
  const read = useLoginApplications();
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  return (
    <ReadState read={read} skeleton={<SettingsSkeleton cards={skeleton} />}>
      {({ apps, organisation }) => {
        const app = apps.find(({ appId }) => appId === search.get('app')) ?? apps[0];
        if (!app) return <EmptyState icon={AppWindow} title={t`No applications yet`} level="h2" />;
        return (
          <AppOptions
            key={app.appId}
            app={app}
            apps={apps}
            organisation={organisation}
            onApp={(next) => changeAddress({ app: next })}
          />
        );
      }}
    </ReadState>
  );
}

interface AppOptionsProps {
  app: Application;
  apps: readonly Application[];
  organisation: SessionSettings;
  onApp: (appId: string) => void;
}

function AppOptions({ app, ...choice }: AppOptionsProps) {
  const options = useAppOptions(app);
  return (
    <ReadState read={options} skeleton={<SettingsSkeleton cards={skeleton} />}>
      {(saved) => <AppOptionsForm app={app} saved={shown(saved)} save={options.save} {...choice} />}
    </ReadState>
  );
}

interface AppOptionsFormProps extends AppOptionsProps {
  saved: Versioned<AppLoginOptions>;
  save: (options: AppLoginOptions, ifMatch: string | undefined) => Promise<Versioned<AppLoginOptions>>;
}

function AppOptionsForm({ app, apps, organisation, onApp, saved, save }: AppOptionsFormProps) {
  const options = OPTIONS.filter((option) => supportsOption(app.integrationType, option));
  const { form, frame } = useSettingsForm<AppLoginOptions>({
    resolver: zodResolver(appFields),
    name: `login options ${app.appId}`,
    saved,
    fields,
    formOf: inMinutes,
    save: async (values, { version }) => {
      const reply = await save({ ...values, maxCookieLife: values.maxCookieLife * SECONDS }, version);
      toast.success(t`Login options for ${app.name} saved`);
      return shown(reply);
    },
  });
  const [cookieLife, forceAuthnEnabled] = form.watch(['maxCookieLife', 'forceAuthnEnabled']);
  const { reason: lifeNote } = cookieLifeOf({ maxCookieLife: cookieLife * SECONDS, forceAuthnEnabled }, organisation);
  return (
    <SettingsForm {...frame}>
      <Section title={t`Application`}>
        <FormField
          label={t`Application`}
          help={
            frame.changes > 0
              ? t`Save or discard your changes before selecting another application.`
              : t`Select the application whose login options you want to edit.`
          }
        >
          <Select value={app.appId} disabled={frame.changes > 0} onChange={({ target }) => onApp(target.value)}>
            {apps.map(({ appId, name, integrationType }) => (
              <option key={appId} value={appId}>
                {name} ({integrationType.toUpperCase()})
              </option>
            ))}
          </Select>
        </FormField>
      </Section>
      <Section title={t`Login options`}>
        <Flex direction="column" gap="6">
          <LoginOptionSwitches control={form.control} options={options} organisation={organisation} />
          {supportsOption(app.integrationType, 'maxCookieLife') && (
            <Flex direction="column" gap="1.5" maxW="sm">
              <NumberField
                label={t`Max cookie life`}
                unit={t`minutes`}
                isRequired
                help={lifeText(cookieLife)}
                error={form.formState.errors.maxCookieLife?.message}
                {...form.register('maxCookieLife', { valueAsNumber: true })}
              />
              {lifeNote && (
                <chakra.p textStyle="sm" fontWeight="medium" color="warning.fg">
                  {lifeNote}
                </chakra.p>
              )}
            </Flex>
          )}
        </Flex>
      </Section>
    </SettingsForm>
  );
}

function lifeText(life: number): string {
  if (life === 0) return t`The portal doesn't remember browsers.`;
  const duration = minutesText(life);
  return duration ? t`The portal remembers a browser for ${duration}.` : t`Enter a whole number of minutes.`;
}

/**
 * Formats minutes as `1 day 12 hours` or `45 minutes`. Returns an empty string unless the number is a positive
 * integer.
 */
export const minutesText = (minutes: number): string =>
  Number.isInteger(minutes) && minutes > 0 ? formatDuration(minutes * 60) : '';
