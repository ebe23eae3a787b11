import { Grid } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { configureSession, getSessionSettings, type SessionSettings, sessionFields } from '@orchestrate/shared';
import { useNavigate } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { NumberField } from '#ui/form/number-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { Section } from '#ui/list/section.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ReadState } from '../read-state.tsx';
import {
  COOKIE_LIFE_HELP,
  LoginOptionSwitches,
  loginOptionFields,
  METHODS_DESCRIPTION,
  minutesText,
  SECURITY_DESCRIPTION,
} from '../shared/login-option-switches.tsx';
import { AppLevelOptions } from './app-level-options.tsx';

/** Edits session settings and login options for the whole organisation. */
function OrgLevelOptions() {
  const read = useRead(getSessionSettings, {});
  const { run } = useWrite(configureSession, { invalidates: ['Org Settings'] });
  const save = async (values: SessionSettings, { version: ifMatch }: Versioned<SessionSettings>) => {
    const saved = await run({ body: values }, { ifMatch });
    toast.success(t`Login options saved`);
    return savedOf(saved);
  };
  return (
    <ReadState read={read} skeleton={<SettingsSkeleton cards={skeleton} />}>
      {(saved) => <OrgLevelForm saved={savedOf(saved)} save={save} />}
    </ReadState>
  );
}

const skeleton = [
  { kind: 'fields', count: 2, columns: 2 },
  { kind: 'switches', count: 3 },
  { kind: 'switches', count: 4 },
] as const;

/** Removes the response envelope. */
const fieldsOf = (settings: SessionSettings): SessionSettings => ({
  sessionTimeout: settings.sessionTimeout,
  maxCookieLife: settings.maxCookieLife,
  didEnabled: settings.didEnabled,
  webAuthnEnabled: settings.webAuthnEnabled,
  desktopAppEnabled: settings.desktopAppEnabled,
  forceAuthnEnabled: settings.forceAuthnEnabled,
  stepUpAuthEnabled: settings.stepUpAuthEnabled,
  appLockEnabled: settings.appLockEnabled,
  logoutTogether: settings.logoutTogether,
});

const savedOf = (reply: SessionSettings & { etag?: string }) => ({ values: fieldsOf(reply), version: reply.etag });

const fields = [
  textField<SessionSettings>(t`Session timeout`, 'sessionTimeout', 'minutes'),
  textField<SessionSettings>(t`Max cookie life`, 'maxCookieLife', 'minutes'),
  ...loginOptionFields<SessionSettings>([
    'didEnabled',
    'webAuthnEnabled',
    'desktopAppEnabled',
    'forceAuthnEnabled',
    'stepUpAuthEnabled',
    'appLockEnabled',
    'logoutTogether',
  ]),
];

interface OrgLevelFormProps {
  saved: Versioned<SessionSettings>;
  save: (values: SessionSettings, base: Versioned<SessionSettings>) => Promise<Versioned<SessionSettings>>;
}

function OrgLevelForm({ saved, save }: OrgLevelFormProps) {
  const { form, frame } = useSettingsForm({
    resolver: zodResolver(sessionFields),
    name: 'login options',
    saved,
    save,
    fields,
    formOf: fieldsOf,
  });
  const [timeout, cookieLife] = form.watch(['sessionTimeout', 'maxCookieLife']);
  const { errors } = form.formState;
  return (
    <SettingsForm {...frame}>
      <Section isBeside id="sessions" title={t`Sessions`} description={t`How long people stay signed in.`}>
        <Grid templateColumns="repeat(auto-fit, minmax(min(100%, 12rem), 1fr))" gap="5">
          <NumberField
            label={t`Session timeout`}
            unit={t`minutes`}
            isRequired
            equivalent={minutesText(timeout)}
            help={t`People have to sign in again after this time. 0 = never.`}
            error={errors.sessionTimeout?.message}
            {...form.register('sessionTimeout', { valueAsNumber: true })}
          />
          <NumberField
            label={t`Max cookie life`}
            unit={t`minutes`}
            isRequired
            equivalent={minutesText(cookieLife)}
            help={COOKIE_LIFE_HELP}
            error={errors.maxCookieLife?.message}
            {...form.register('maxCookieLife', { valueAsNumber: true })}
          />
        </Grid>
      </Section>
      <Section isBeside id="methods" title={t`Sign-in methods`} description={METHODS_DESCRIPTION}>
        <LoginOptionSwitches control={form.control} options={['didEnabled', 'webAuthnEnabled', 'desktopAppEnabled']} />
      </Section>
      <Section isBeside title={t`Security`} description={SECURITY_DESCRIPTION}>
        <LoginOptionSwitches
          control={form.control}
          options={['forceAuthnEnabled', 'stepUpAuthEnabled', 'appLockEnabled', 'logoutTogether']}
        />
      </Section>
    </SettingsForm>
  );
}

const LEVELS = [
  { value: 'org-level', label: t`Organisation level` },
  { value: 'app-level', label: t`Application level` },
] as const;

/** Edits sign-in methods for the organisation or for individual applications (spec 2 §2). */
export default function LoginOptionsScreen({ level }: { level: 'org-level' | 'app-level' }) {
  const navigate = useNavigate();
  return (
    <Page width="text">
      <title>{t`Login Options · Orchestrate`}</title>
      <PageHeader
        title={t`Login Options`}
        description={t`Choose how people sign in and how long they stay signed in.`}
      />
      <TabList
        look="line"
        label={t`Level`}
        tabs={LEVELS}
        value={level}
        onChange={(next) =>
          void navigate(next === 'org-level' ? paths.orgLevelLoginOptions : paths.appLevelLoginOptions)
        }
      >
        {level === 'org-level' ? <OrgLevelOptions /> : <AppLevelOptions />}
      </TabList>
    </Page>
  );
}
