import { Button, Flex, Grid, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { getSecurity, type SecuritySettings, saveSecurity, securityFields } from '@orchestrate/shared';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { toast } from '#lib/notices/toaster.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { listField, switchField, textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { addTags, hasSeveralTags, splitTags, type Tag } from '#ui/form/tags.ts';
import { TagsField } from '#ui/form/tags-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ReadState } from './read-state.tsx';

interface TextTagsProps {
  label: string;
  help: string;
  placeholder: string;
  /** Formats the number of entries, e.g. `2 domains`. */
  counted: (count: number) => string;
  invalid: string;
  max: number;
  /** Returns false for text that can't be valid. The server may still reject other text. */
  isValid: (text: string) => boolean;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Error from react-hook-form, either for the whole list or for each invalid entry. */
  error: unknown;
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined;

/** Edits a list of short values as tags. */
function TextTags({ values, onChange, error, isValid, max, ...field }: TextTagsProps) {
  const [typed, setTyped] = useState('');
  // Include text that isn't a tag yet, so that it isn't lost if the user leaves the page or the session ends.
  const isCounted = values.length > 0 && values.at(-1) === typed.trim();
  const settled = isCounted ? values.slice(0, -1) : values;
  const type = (next: string) => {
    const text = next.trim();
    const counts = isValid(text) && settled.length < max && !settled.includes(text);
    if (counts || isCounted) onChange(counts ? [...settled, text] : [...settled]);
    setTyped(next);
  };
  const each: readonly unknown[] = Array.isArray(error) ? error : [];
  const tags: Tag[] = settled.map((text, at) => ({
    text,
    isValid: isValid(text) && messageOf(each[at]) === undefined,
  }));
  return (
    <TagsField
      {...field}
      tags={tags}
      onTags={(change) => onChange(change(tags).map(({ text }) => text))}
      typed={typed}
      onTyped={type}
      add={(before, text) => addTags(before, splitTags(text), { max, isValid })}
      isComplete={(text) => hasSeveralTags(text) || isValid(text.trim())}
      tooMany={(leftOut) => t`${leftOut} more couldn't be added. The limit is ${max}.`}
      error={messageOf(error) ?? each.map(messageOf).find(Boolean)}
    />
  );
}

const LIST_MAX = 200;

/** Checks only which characters an address or range contains. The server validates the rest. */
const looksLikeRange = (text: string) => /^[0-9a-f:.]+(\/\d{1,3})?$/i.test(text) && /[:.]/.test(text);
const isDomain = (text: string) => securityFields.shape.allowedEmailDomains.element.safeParse(text).success;

/** Edits the addresses from which people can sign in and the requirements for signing up. */
export default function SecurityScreen() {
  const read = useRead(getSecurity, {});
  const { run } = useWrite(saveSecurity, { invalidates: ['Security'] });
  const save = async (values: SecuritySettings, { version: ifMatch }: Versioned<SecuritySettings>) => {
    const saved = await run({ body: values }, { ifMatch });
    toast.success(t`Security settings saved`);
    return savedOf(saved);
  };
  return (
    <Page width="text">
      <title>{t`Security · Orchestrate`}</title>
      <PageHeader title={t`Security`} description={t`Control where people can sign in from and who can sign up.`} />
      <ReadState read={read} skeleton={<SettingsSkeleton cards={skeleton} />}>
        {(saved) => <SecurityForm ownIp={saved.ownIp} saved={savedOf(saved)} save={save} />}
      </ReadState>
    </Page>
  );
}

const skeleton = [
  { kind: 'fields', count: 1 },
  { kind: 'fields', count: 3 },
  { kind: 'switches', count: 1 },
] as const;

/** Removes the response envelope. */
const fieldsOf = (settings: SecuritySettings): SecuritySettings => ({
  allowedIps: settings.allowedIps,
  activationLinkDelayHours: settings.activationLinkDelayHours,
  deviceLimit: settings.deviceLimit,
  allowedEmailDomains: settings.allowedEmailDomains,
  discloseUnknownUsers: settings.discloseUnknownUsers,
});

const savedOf = (reply: SecuritySettings & { etag?: string }) => ({ values: fieldsOf(reply), version: reply.etag });

const fields = [
  listField<SecuritySettings>(t`Allowed IP addresses`, 'allowedIps'),
  listField<SecuritySettings>(t`Allowed email domains`, 'allowedEmailDomains'),
  textField<SecuritySettings>(t`Activation link delay`, 'activationLinkDelayHours', 'hours'),
  textField<SecuritySettings>(t`Device limit`, 'deviceLimit', 'devices'),
  switchField<SecuritySettings>(t`Tell visitors whether an account exists`, 'discloseUnknownUsers'),
];

interface SecurityFormProps {
  ownIp: string;
  saved: Versioned<SecuritySettings>;
  save: (values: SecuritySettings, base: Versioned<SecuritySettings>) => Promise<Versioned<SecuritySettings>>;
}

function SecurityForm({ ownIp, saved, save }: SecurityFormProps) {
  const { form, frame } = useSettingsForm({
    resolver: zodResolver(securityFields),
    name: 'security',
    saved,
    save,
    fields,
    formOf: fieldsOf,
  });
  const { errors } = form.formState;
  const allowedIps = form.watch('allowedIps');
  const change = (name: 'allowedIps' | 'allowedEmailDomains', values: string[]) => {
    form.clearErrors(name);
    form.setValue(name, values, { shouldDirty: true });
  };
  return (
    <SettingsForm {...frame}>
      <Section isBeside id="network" title={t`Network`} description={t`Where people can sign in from.`}>
        <Flex direction="column" gap="3">
          <Controller
            control={form.control}
            name="allowedIps"
            render={({ field: { value } }) => (
              <TextTags
                label={t`Allowed IP addresses`}
                help={t`IP addresses or ranges from which people can sign in, sign up and stay signed in. Leave empty to allow all.`}
                placeholder={t`For example 203.0.113.7 or 198.51.100.0/24`}
                counted={(count) => plural(count, { one: '# address', other: '# addresses' })}
                invalid={t`Enter an IP address or a range such as 203.0.113.0/24`}
                max={LIST_MAX}
                isValid={looksLikeRange}
                values={value}
                onChange={(values) => change('allowedIps', values)}
                error={errors.allowedIps}
              />
            )}
          />
          <Flex align="center" gap="3" wrap="wrap">
            <Text textStyle="sm" color="fg.muted">
              <Trans>
                Your IP address is{' '}
                <Text as="span" textStyle="code" color="fg">
                  {' '}
                  {ownIp}{' '}
                </Text>
              </Trans>
            </Text>
            {!allowedIps.includes(ownIp) && (
              <Button
                type="button"
                variant="outline"
                size="sm"
                onClick={() => change('allowedIps', [...allowedIps, ownIp])}
              >
                <Plus aria-hidden />
                {t`Add my IP address`}
              </Button>
            )}
          </Flex>
          {allowedIps.length > 0 && (
            <AlertLine tone="info">
              {t`Everywhere else, sessions end, applications stop signing people in and directories can't provision people. Add your servers' addresses too. Approving on a phone works from anywhere, including mobile data.`}
            </AlertLine>
          )}
        </Flex>
      </Section>
      <Section
        isBeside
        id="sign-up"
        title={t`Sign-up and devices`}
        description={t`Who can join, and with how many devices.`}
      >
        <Flex direction="column" gap="5">
          <Controller
            control={form.control}
            name="allowedEmailDomains"
            render={({ field: { value } }) => (
              <TextTags
                label={t`Allowed email domains`}
                help={t`New email addresses must be in one of these domains, whether they're entered by sign-up, editing, an invitation, a file or a directory. Leave empty to allow any domain. Email addresses from a directory are then treated as unverified.`}
                placeholder={t`For example example.com`}
                counted={(count) => plural(count, { one: '# domain', other: '# domains' })}
                invalid={t`Enter a valid domain`}
                max={LIST_MAX}
                isValid={isDomain}
                values={value}
                onChange={(values) => change('allowedEmailDomains', values)}
                error={errors.allowedEmailDomains}
              />
            )}
          />
          <Grid templateColumns="repeat(auto-fit, minmax(min(100%, 12rem), 1fr))" gap="5">
            <NumberField
              label={t`Activation link delay`}
              unit={t`hours`}
              isRequired
              help={t`Invitation links work only after this delay. Enter 0 for no delay.`}
              error={errors.activationLinkDelayHours?.message}
              {...form.register('activationLinkDelayHours', { valueAsNumber: true })}
            />
            <NumberField
              label={t`Device limit`}
              unit={t`devices`}
              isRequired
              min={1}
              help={t`Maximum number of devices per person.`}
              error={errors.deviceLimit?.message}
              {...form.register('deviceLimit', { valueAsNumber: true })}
            />
          </Grid>
        </Flex>
      </Section>
      <Section
        isBeside
        id="privacy"
        title={t`Account privacy`}
        description={t`What visitors can find out about accounts.`}
      >
        <SwitchField
          control={form.control}
          name="discloseUnknownUsers"
          label={t`Tell visitors whether an account exists`}
          help={t`When on, visitors can see whether an email address is unknown, has no code or already has an account. When off, everyone gets the same response, so strangers can't find out who your members are.`}
        />
      </Section>
    </SettingsForm>
  );
}
