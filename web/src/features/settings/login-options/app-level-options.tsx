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
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { ReadState } from '../read-state.tsx';
import { APP_OPTIONS, AppLoginOptions, loginOptionFields } from '../shared/login-option-switches.tsx';

/** An application's login options in the API format, with `maxCookieLife` in seconds. */
type AppOptionValues = Pick<
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
  const save = async (options: AppOptionValues, ifMatch: string | undefined): Promise<Versioned<AppOptionValues>> => {
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

const appFields = sessionFields
  .pick({ didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: true })
  .extend({ maxCookieLife: minutes });

const inMinutes = (options: AppOptionValues): AppOptionValues => ({
  maxCookieLife: Math.ceil(options.maxCookieLife / SECONDS),
  didEnabled: options.didEnabled,
  webAuthnEnabled: options.webAuthnEnabled,
  desktopAppEnabled: options.desktopAppEnabled,
  forceAuthnEnabled: options.forceAuthnEnabled,
});

const shown = ({ values, version }: Versioned<AppOptionValues>) => ({ values: inMinutes(values), version });

const fields = [
  ...loginOptionFields<AppOptionValues>(APP_OPTIONS),
  textField<AppOptionValues>(t`Max cookie life`, 'maxCookieLife', 'minutes'),
];

const skeleton = [
  { kind: 'fields', count: 1 },
  { kind: 'switches', count: 3 },
  { kind: 'switches', count: 1 },
  { kind: 'fields', count: 1 },
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
  saved: Versioned<AppOptionValues>;
  save: (options: AppOptionValues, ifMatch: string | undefined) => Promise<Versioned<AppOptionValues>>;
}

function AppOptionsForm({ app, apps, organisation, onApp, saved, save }: AppOptionsFormProps) {
  const { form, frame } = useSettingsForm<AppOptionValues>({
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
  return (
    <SettingsForm {...frame}>
      <Section isBeside title={t`Application`} description={t`Each one can have its own options.`}>
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
      <AppLoginOptions
        type={app.integrationType}
        control={form.control}
        organisation={organisation}
        minutes={cookieLife}
        isForced={forceAuthnEnabled}
        life={form.register('maxCookieLife', { valueAsNumber: true })}
        error={form.formState.errors.maxCookieLife?.message}
      />
    </SettingsForm>
  );
}
