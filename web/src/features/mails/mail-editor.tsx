import { Box, Button, Flex, Grid, Input, Skeleton, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  deleteMailText,
  type Language,
  LIMITS,
  type MailName,
  type MailText,
  type MailWords,
  mailWords,
  previewMailText,
  saveMailText,
  tryMailText,
} from '@orchestrate/shared';
import { RotateCcw, Send } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { MessageBody } from '#ui/feedback/message-body.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { Section } from '#ui/list/section.tsx';
import { MAIL_TITLES } from './shared/mail-titles.ts';

interface MailPreviewProps {
  name: MailName;
  language: Language;
  words: MailWords;
}

/** Previews the email with the current text as soon as typing pauses. */
function MailPreview({ name, language, words }: MailPreviewProps) {
  const settled = useDebounced(JSON.stringify(words), LIMITS.searchDebounceMs);
  const body = mailWords.safeParse(JSON.parse(settled)).data;
  const { data, refusal } = useRead(previewMailText, body ? { params: { name }, query: { language }, body } : null);
  const { run, isPending } = useWrite(tryMailText);
  const send = async () => {
    if (!body) return;
    try {
      const { to } = await run({ params: { name }, query: { language }, body });
      toast.success(t`Sent to ${to}`);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Section
      title={t`Preview`}
      description={t`Uses a fictional person.`}
      aside={
        <Button
          variant="outline"
          size="sm"
          disabled={!data}
          loading={isPending}
          loadingText={t`Sending…`}
          onClick={() => void send()}
        >
          <Send />
          {t`Send me a test`}
        </Button>
      }
    >
      {refusal && <AlertLine tone="warning">{refusal.issues[0]?.message ?? resultText(refusal)}</AlertLine>}
      {!refusal && !data && <Skeleton h="64" borderRadius="l3" role="status" aria-label={t`Loading preview`} />}
      {data && (
        <Box>
          <Text lang={language} fontWeight="semibold" mb="4" overflowWrap="anywhere">
            {data.subject}
          </Text>
          <MessageBody message={data} />
        </Box>
      )}
    </Section>
  );
}

const wordsOf = ({ subject, body }: MailText): MailWords => ({ subject, body });
const edits = [textField<MailWords>(t`Subject`, 'subject'), textField<MailWords>(t`Text`, 'body')];

/** Edits an email's text in one language, with variables and a preview. */
export function MailEditor({ mail }: { mail: MailText }) {
  const { name, language } = mail;
  const { run: save } = useWrite(saveMailText, { invalidates: ['Mails'] });
  const { form, frame } = useSettingsForm<MailWords>({
    resolver: zodResolver(mailWords),
    name: `mail-${name}-${language}`,
    saved: { values: wordsOf(mail), version: mail.version },
    save: async (values, { version: ifMatch }) => {
      const saved = await save({ params: { name }, query: { language }, body: values }, { ifMatch });
      toast.success(t`Email saved`);
      return { values: wordsOf(saved.mail), version: saved.mail.version };
    },
    fields: edits,
    formOf: wordsOf,
  });
  const { register, formState, setValue, watch } = form;
  const [isResetting, setIsResetting] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const words = watch();

  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }} gap="5" alignItems="start">
      <SettingsForm {...frame} isOfSearch>
        <Section
          title={MAIL_TITLES[name]}
          description={`${mail.about}.`}
          aside={
            mail.isOwn && (
              <Button type="button" variant="outline" size="sm" onClick={() => setIsResetting(true)}>
                <RotateCcw />
                {t`Restore default text`}
              </Button>
            )
          }
        >
          <Flex ref={fields} direction="column" gap="5">
            <FormField label={t`Subject`} isRequired error={formState.errors.subject?.message}>
              <Input
                {...register('subject')}
                lang={language}
                maxLength={LIMITS.mailSubjectMaxLength}
                autoComplete="off"
              />
            </FormField>
            <FormField
              label={t`Text`}
              isRequired
              error={formState.errors.body?.message}
              help={t`A blank line starts a new paragraph. Start a line with “> ” for small print. The greeting and your organisation’s name are added automatically.`}
            >
              <TextArea {...register('body')} lang={language} rows={12} maxLength={LIMITS.mailBodyMaxLength} />
            </FormField>
            <Variables
              mail={mail}
              onInsert={(text, isParagraph) =>
                setValue('body', insertAtCursor(fields, text, isParagraph), { shouldDirty: true, shouldTouch: true })
              }
            />
          </Flex>
        </Section>
      </SettingsForm>
      <Box position={{ md: 'sticky' }} top="calc({sizes.header} + {spacing.5})" minW="0">
        <MailPreview name={name} language={language} words={words} />
      </Box>
      <ResetText mail={mail} isOpen={isResetting} onClose={() => setIsResetting(false)} />
    </Grid>
  );
}

/**
 * Inserts text at the cursor, moves the cursor after the text and returns the new value.
 * @param isParagraph true to insert the text as a separate paragraph
 */
function insertAtCursor(fields: RefObject<HTMLElement | null>, text: string, isParagraph: boolean): string {
  const field = fields.current?.querySelector('textarea');
  if (!field) return text;
  field.focus();
  const { value, selectionStart: start, selectionEnd: end } = field;
  const before = isParagraph ? value.slice(0, start).trimEnd() : value.slice(0, start);
  const after = isParagraph ? value.slice(end).trimStart() : value.slice(end);
  const parted = [before && isParagraph ? '\n\n' : '', text, after && isParagraph ? '\n\n' : ''].join('');
  field.setRangeText(parted, before.length, value.length - after.length, 'end');
  return field.value;
}

interface VariablesProps {
  mail: MailText;
  onInsert: (text: string, isParagraph: boolean) => void;
}

/** Lists the email's variables. Selecting a variable inserts it at the cursor. */
function Variables({ mail, onInsert }: VariablesProps) {
  const written = (name: string) => (name === 'link' ? '[Open](${link})' : `\${${name}}`);
  return (
    <Flex direction="column" gap="2">
      <Text textStyle="sm" fontWeight="medium">
        {t`Variables`}
      </Text>
      <Grid as="ul" listStyleType="none" templateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="1.5">
        {mail.variables.map(({ name, meaning, isNeeded }) => (
          <Grid as="li" key={name} gridColumn="1 / -1" templateColumns="subgrid" alignItems="center">
            <Button
              justifySelf="start"
              type="button"
              variant="outline"
              size="xs"
              fontFamily="mono"
              onClick={() => onInsert(written(name), isNeeded)}
            >
              {written(name)}
            </Button>
            <Text textStyle="sm" color="fg.muted">
              {isNeeded ? t`${meaning} (required, in a separate paragraph)` : meaning}
            </Text>
          </Grid>
        ))}
      </Grid>
    </Flex>
  );
}

const RESET_WARNINGS: Readonly<Record<Language, string>> = {
  en: t`This deletes your custom English subject and text for this email.`,
  de: t`This deletes your custom German subject and text for this email.`,
};

interface ResetTextProps {
  mail: MailText;
  isOpen: boolean;
  onClose: () => void;
}

function ResetText({ mail: { name, language }, isOpen, onClose }: ResetTextProps) {
  const { run, isPending } = useWrite(deleteMailText, { invalidates: ['Mails'] });
  const drop = async () => {
    try {
      await run({ params: { name }, query: { language } });
      toast.success(t`Default text restored`);
      onClose();
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t`Restore the default text?`}
      consequences={[RESET_WARNINGS[language]]}
      verb={t`Restore default text`}
      isPending={isPending}
      onConfirm={() => void drop()}
    />
  );
}
