import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import {
  type AppType,
  CSV_FIELDS,
  type CsvColumn,
  type CsvEncoding,
  type CsvField,
  INVITE_EMAILS_MAX,
  LIMITS,
} from '@orchestrate/shared';
import { Download, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { usePrimaryAttribute } from '#features/members/shared/names.ts';
import { appSwitchObstacle, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { capitalize } from '#lib/format/text.ts';
import { FileDrop } from '#ui/form/file-drop.tsx';
import { FieldError } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Switch } from '#ui/form/switch.tsx';
import type { Tag } from '#ui/form/tags.ts';
import { TagsField } from '#ui/form/tags-field.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { addTags, isComplete } from './email-tags.ts';
import type { InviteMode } from './invite-draft.ts';
import { InviteesPreview } from './invitees-preview.tsx';
import { assignField, hasEmailColumn } from './use-file-check.ts';
import type { useInvite } from './use-invite.ts';

const types = [
  { type: 'mobile', label: t`Mobile`, text: t`The app on a phone` },
  { type: 'desktop', label: t`Desktop`, text: t`The app on a computer` },
] as const satisfies { type: AppType; label: string; text: string }[];

interface DeviceTypeFieldProps {
  value: AppType | undefined;
  onChange: (type: AppType) => void;
  error: string | undefined;
}

/** Selects the app that invited people will activate, with radio buttons displayed as cards. */
function DeviceTypeField({ value, onChange, error }: DeviceTypeFieldProps) {
  const id = useId();
  const { data: organisation } = useOrgLoginOptions();
  const choices = types.map((each) => ({ ...each, obstacle: appSwitchObstacle(each.type, organisation) }));
  return (
    <Flex direction="column" gap="1.5">
      <Text id={id} textStyle="sm" fontWeight="medium">
        {t`Device type`}
      </Text>
      <Grid
        role="radiogroup"
        aria-labelledby={id}
        aria-required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        templateColumns="1fr 1fr"
        gap="3"
      >
        {choices.map(({ type, label, text, obstacle }) => (
          <chakra.label
            key={type}
            position="relative"
            display="flex"
            alignItems="center"
            gap="3"
            px="3.5"
            py="2"
            minH="14"
            borderRadius="l2"
            borderWidth="1px"
            borderColor={type === value ? 'brand.line' : error ? 'border.error' : 'border.emphasized'}
            bg={type === value ? 'brand.subtle' : 'bg.panel'}
            transition="background-color 120ms, border-color 120ms"
            _hover={type === value || obstacle ? {} : { bg: 'bg.muted' }}
            css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '2px' } }}
          >
            <chakra.input
              type="radio"
              name={id}
              value={type}
              aria-label={label}
              aria-disabled={obstacle ? true : undefined}
              aria-describedby={obstacle && `${id}-${type}`}
              checked={type === value}
              onChange={() => !obstacle && onChange(type)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor={obstacle ? 'not-allowed' : 'pointer'}
            />
            <Box opacity={obstacle ? 0.5 : undefined}>
              <DeviceIcon type={type} size={20} />
            </Box>
            <Box minW="0">
              <Text fontWeight="medium" color={obstacle && 'fg.muted'}>
                {label}
              </Text>
              <Text id={`${id}-${type}`} textStyle="xs" color="fg.muted">
                {obstacle ?? text}
              </Text>
            </Box>
          </chakra.label>
        ))}
      </Grid>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Flex>
  );
}

const WORDS: Record<Exclude<CsvField, 'primaryAttr'>, string> = {
  email: t`Email`,
  firstName: t`First Name`,
  lastName: t`Last Name`,
};

const NO_ADDRESSES = t`Choose the column with the email addresses`;

const READ_AS: Record<Exclude<CsvEncoding, 'utf-8'>, string> = {
  'windows-1252': t`This file isn't UTF-8 and was read as Windows-1252. Check that the names are correct.`,
  'utf-16': t`This file was read as UTF-16.`,
};

interface FileColumnsProps {
  columns: CsvColumn[];
  encoding: CsvEncoding;
  onChoose: (columns: (CsvField | '')[]) => void;
}

/** Shows how each column of the file was interpreted, and lets the user choose another field. */
function FileColumns({ columns, encoding, onChoose }: FileColumnsProps) {
  const words: Record<CsvField, string> = { ...WORDS, primaryAttr: capitalize(usePrimaryAttribute()) };
  return (
    <chakra.fieldset borderWidth="1px" borderRadius="l2" minW="0">
      <chakra.legend srOnly>{t`Columns`}</chakra.legend>
      <Text aria-hidden px="3.5" py="2.5" textStyle="sm" fontWeight="medium">
        {t`Columns`}
      </Text>
      {!hasEmailColumn({ columns }) && (
        <Flex role="alert" gap="1.5" align="center" px="3.5" pb="2.5" textStyle="sm" color="fg.error">
          <TriangleAlert size={14} aria-hidden />
          {NO_ADDRESSES}
        </Flex>
      )}
      {encoding !== 'utf-8' && (
        <Text px="3.5" pb="2.5" textStyle="xs" color="fg.muted">
          {READ_AS[encoding]}
        </Text>
      )}
      <Box maxH="56" overflowY="auto" borderTopWidth="1px" py="1.5">
        {columns.map(({ header, sample, field }, at) => {
          const name = header || t`Column ${at + 1}`;
          return (
            <Flex as="label" key={at} align="center" gap="3" px="3.5" py="1">
              <Box flex="1" minW="0">
                <Text textStyle="sm" truncate title={name}>
                  {name}
                </Text>
                {sample && (
                  <Text textStyle="xs" color="fg.muted" truncate title={sample}>
                    {sample}
                  </Text>
                )}
              </Box>
              <Select
                width={{ base: '36', xs: '44' }}
                size="sm"
                aria-label={t`Column ${name}`}
                value={field ?? ''}
                onChange={({ target }) =>
                  onChoose(assignField(columns, at, CSV_FIELDS.find((known) => known === target.value) ?? ''))
                }
              >
                <option value="">{t`Not used`}</option>
                {CSV_FIELDS.map((known) => (
                  <option key={known} value={known}>
                    {words[known]}
                  </option>
                ))}
              </Select>
            </Flex>
          );
        })}
      </Box>
    </chakra.fieldset>
  );
}

interface EmailTagsFieldProps {
  tags: readonly Tag[];
  onTags: (change: (before: Tag[]) => Tag[]) => void;
  /** Typed text that isn't a tag yet. */
  typed: string;
  onTyped: (typed: string) => void;
  /** Error message if a value is missing. */
  error?: string | undefined;
}

/** Edits the addresses to invite. */
function EmailTagsField(field: EmailTagsFieldProps) {
  return (
    <TagsField
      {...field}
      label={t`Email addresses`}
      help={t`Type or paste any number of addresses, separated by commas, spaces or line breaks.`}
      placeholder={t`ada@example.com, bo@example.com`}
      counted={(count) => plural(count, { one: '# address', other: '# addresses' })}
      invalid={t`Please enter a valid email address`}
      tooMany={(leftOut) =>
        t`${leftOut} more didn't fit. You can add up to ${INVITE_EMAILS_MAX} addresses at a time. Use a CSV file for more.`
      }
      isRequired
      isTall
      inputMode="email"
      add={addTags}
      isComplete={isComplete}
    />
  );
}

const MODES = [
  { value: 'email', label: t`Email addresses` },
  { value: 'file', label: t`CSV file` },
] as const satisfies { value: InviteMode; label: string }[];

/** Template CSV file with the expected header. */
const TEMPLATE = '/invite-template.csv';

interface InviteFormProps {
  invite: Pick<
    ReturnType<typeof useInvite>,
    'draft' | 'people' | 'fileCheck' | 'restored' | 'problems' | 'change' | 'changeTags' | 'submit'
  >;
  /** Form ID, used by the submit button in the dialog's footer. */
  formId: string;
}

/** Edits who is invited, and to which app. */
export function InviteForm({ invite, formId }: InviteFormProps) {
  const attribute = usePrimaryAttribute();
  const { draft, people, fileCheck, restored, problems, change, changeTags, submit } = invite;
  return (
    <chakra.form
      id={formId}
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {restored}
      <DeviceTypeField value={draft.type} onChange={(type) => change({ type })} error={problems.type} />
      <Switch
        label={t`Send email`}
        help={t`Emails each person a link to get an activation code.`}
        isOn={draft.sendEmail}
        onChange={(sendEmail) => change({ sendEmail })}
      />
      <TabList label={t`People to invite`} tabs={MODES} value={draft.mode} onChange={(mode) => change({ mode })}>
        {draft.mode === 'email' ? (
          <Flex direction="column" gap="3">
            <EmailTagsField
              tags={draft.tags}
              onTags={changeTags}
              typed={draft.typed}
              onTyped={(typed) => change({ typed })}
              error={problems.emails}
            />
            {people.length > 0 && (
              <InviteesPreview
                people={people}
                newPeople={{ addNew: draft.addNew, onAddNew: (addNew) => change({ addNew }) }}
              />
            )}
          </Flex>
        ) : (
          <Flex direction="column" gap="3">
            <FileDrop
              label={t`CSV file`}
              formats={['CSV']}
              maxBytes={LIMITS.csvUploadBytes}
              file={draft.file}
              onFile={(file) => change({ file })}
              error={problems.file}
            />
            <Flex align="center" justify="space-between" gap="4" wrap="wrap">
              <Text flex="1" minW="56" textStyle="xs" color="fg.muted" textWrap="pretty">
                {t`Use one row per person. An email address is enough, but names and the ${attribute} are used for new people. Save spreadsheets as “CSV UTF-8”.`}
              </Text>
              <Button asChild variant="outline" size="sm">
                <a href={TEMPLATE} download>
                  <Download aria-hidden />
                  {t`Download template`}
                </a>
              </Button>
            </Flex>
            <Switch
              label={t`Add people with only an email address`}
              help={t`Names are derived from the addresses until people enter their own. If this is off, only rows with all four columns add people.`}
              isOn={draft.addNew}
              onChange={(addNew) => change({ addNew })}
            />
            {fileCheck && (
              <>
                <FileColumns {...fileCheck} onChoose={(columns) => change({ columns })} />
                <InviteesPreview {...fileCheck} />
              </>
            )}
          </Flex>
        )}
      </TabList>
    </chakra.form>
  );
}
