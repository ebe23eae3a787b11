import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { usePrimaryAttribute } from '../../members/use-primary-attribute.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { DeviceTypeField } from './device-type-field.tsx';
import { EmailTagsField } from './email-tags-field.tsx';
import { FileColumns } from './file-columns.tsx';
import type { InviteMode } from './invite-draft.ts';
import { InviteesPreview } from './invitees-preview.tsx';
import type { useInvite } from './use-invite.ts';

const MODES = [
  { value: 'email', label: t`Email addresses` },
  { value: 'file', label: t`CSV file` },
] as const satisfies { value: InviteMode; label: string }[];

/** The columns of the file, in the words of the template's first line. */
const TEMPLATE = '/invite-template.csv';

interface InviteFormProps {
  invite: Pick<
    ReturnType<typeof useInvite>,
    'draft' | 'people' | 'fileCheck' | 'restored' | 'problems' | 'change' | 'changeTags' | 'submit'
  >;
  /** For the buttons, which are in the footer of the dialog. */
  formId: string;
}

/** Whom to invite, and to which app. */
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
        help={t`Emails each person a link for getting an activation code.`}
        isOn={draft.sendEmail}
        onChange={(sendEmail) => change({ sendEmail })}
      />
      <TabList label={t`Who to invite`} tabs={MODES} value={draft.mode} onChange={(mode) => change({ mode })}>
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
                news={{ addNew: draft.addNew, onAddNew: (addNew) => change({ addNew }) }}
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
                {t`One person in each row. An email address is enough; names and the ${attribute} are used for new people. Save a spreadsheet as “CSV UTF-8”.`}
              </Text>
              <Button asChild variant="outline" size="sm">
                <a href={TEMPLATE} download>
                  <Download aria-hidden />
                  {t`Download template`}
                </a>
              </Button>
            </Flex>
            <Switch
              label={t`Add people who have only an email address`}
              help={t`Names are taken from the addresses until people enter their own. When off, only rows with all four columns add people.`}
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
