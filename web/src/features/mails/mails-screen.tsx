import { Box, chakra, Field, Grid, Skeleton, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type Language,
  listMailTexts,
  type MailLanguage,
  type MailText,
  mailLanguageForm,
  saveMailLanguage,
  type MailLanguageForm as Values,
} from '@orchestrate/shared';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import type { EditedField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { Select } from '#ui/form/select.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { isLanguage } from '#words/language.ts';
import { spokenLanguage } from '#words/words.ts';
import { MailEditor } from './mail-editor.tsx';
import { LANGUAGE_CHOICES, LANGUAGE_NAMES, MAIL_TITLES } from './shared/mail-titles.ts';

const valuesOf = ({ language }: MailLanguage): Values => ({ language });
const edits: EditedField<Values>[] = [
  { label: t`Email language`, paths: ['language'], show: ({ language }) => LANGUAGE_NAMES[language] },
];

/** Edits the language of emails to people without a language preference. */
function MailLanguageForm({ mailLanguage }: { mailLanguage: MailLanguage }) {
  const { run: save } = useWrite(saveMailLanguage, { invalidates: ['Mails'] });
  const { form, frame } = useSettingsForm<Values>({
    resolver: zodResolver(mailLanguageForm),
    name: 'mail-language',
    saved: { values: valuesOf(mailLanguage), version: mailLanguage.version },
    save: async (values, { version: ifMatch }) => {
      const { mailLanguage: saved } = await save({ body: values }, { ifMatch });
      toast.success(t`Email language saved`);
      return { values: valuesOf(saved), version: saved.version };
    },
    fields: edits,
    formOf: valuesOf,
  });
  return (
    <SettingsForm {...frame}>
      <Header>
        <Field.Root flexDirection="row" flexWrap="wrap" alignItems="center" columnGap="3" w="auto">
          <Field.Label whiteSpace="nowrap">{t`Email language`}</Field.Label>
          <Select {...form.register('language')} width="44">
            {LANGUAGE_CHOICES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field.Root>
      </Header>
    </SettingsForm>
  );
}

const Header = ({ children }: { children?: ReactNode }) => (
  <PageHeader
    title={t`Emails`}
    description={t`Sent in each person’s language, or in the email language if they haven’t chosen one.`}
    action={children}
  />
);

const addressOf = (mail: string, language: Language) => `${paths.mails}?mail=${mail}&language=${language}`;

/** Edits the organisation's email language and texts. */
export default function MailsScreen() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const requested = search.get('language');
  const language = isLanguage(requested) ? requested : spokenLanguage;
  return (
    <Page>
      <title>{t`Emails · Orchestrate`}</title>
      <LanguageOfMails />
      <TabList
        look="line"
        label={t`Text language`}
        tabs={LANGUAGE_CHOICES}
        value={language}
        onChange={(next) => void navigate(addressOf(search.get('mail') ?? '', next))}
      >
        <Words language={language} name={search.get('mail')} />
      </TabList>
    </Page>
  );
}

/** Fetches the email language separately from the texts, which are refetched when the displayed language changes. */
function LanguageOfMails() {
  const { data, refusal } = useRead(listMailTexts, {});
  if (data) return <MailLanguageForm mailLanguage={data.mailLanguage} />;
  // The email list below already shows the error.
  if (refusal) return <Header />;
  return (
    <Header>
      <Skeleton h="9" w="72" role="status" aria-label={t`Loading emails`} />
    </Header>
  );
}

function Words({ language, name }: { language: Language; name: string | null }) {
  const { data, refusal, refetch } = useRead(listMailTexts, { query: { language } });
  const editor = useRef<HTMLDivElement>(null);
  const isChosen = useRef(false);
  useEffect(() => {
    const box = editor.current;
    // On a phone, the editor is below the list, so scroll the editor into view.
    if (name && box && isChosen.current && box.getBoundingClientRect().top > window.innerHeight / 2) {
      box.scrollIntoView();
    }
    isChosen.current = false;
  }, [name]);
  if (!data && refusal) {
    return <RefusalState level="h2" refusal={refusal} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <Section isFlush>
        <SkeletonRows rows={10} label={t`Loading emails`} />
      </Section>
    );
  }
  const shown = data.mails.find((mail) => mail.name === name) ?? data.mails[0];
  return (
    shown && (
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '15rem minmax(0, 1fr)' }} gap="6" alignItems="start">
        <MailList
          mails={data.mails}
          shown={shown}
          onChoose={() => {
            isChosen.current = true;
          }}
        />
        <Box ref={editor} minW="0" scrollMarginTop="20">
          <MailEditor key={`${shown.name} ${language}`} mail={shown} />
        </Box>
      </Grid>
    )
  );
}

const MailLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '2',
    px: '4',
    py: '2.5',
    outline: '0',
    focusVisibleRing: 'inside',
    _hover: { bg: 'bg.subtle' },
    _currentPage: { bg: 'brand.subtle', fontWeight: 'medium' },
  },
});

/** Labels for emails with custom text in the language that isn't displayed. */
const CHANGED_IN: Readonly<Record<Language, string>> = { en: t`Custom text in English`, de: t`Custom text in German` };

interface MailListProps {
  mails: readonly MailText[];
  shown: MailText;
  onChoose: () => void;
}

function MailList({ mails, shown, onChoose }: MailListProps) {
  return (
    <Box position={{ sm: 'sticky' }} top="calc({sizes.header} + {spacing.5})">
      <Section isFlush>
        <chakra.nav aria-label={t`Emails`}>
          <chakra.ul listStyleType="none">
            {mails.map(({ name, language, isOwn, ownIn }) => (
              <li key={name}>
                <MailLink
                  to={addressOf(name, language)}
                  aria-current={name === shown.name ? 'page' : undefined}
                  onClick={onChoose}
                >
                  <Box minW="0">
                    <Text>{MAIL_TITLES[name]}</Text>
                    {ownIn
                      .filter((other) => other !== language)
                      .map((other) => (
                        <Text key={other} textStyle="xs" color="fg.muted" fontWeight="normal">
                          {CHANGED_IN[other]}
                        </Text>
                      ))}
                  </Box>
                  {isOwn && <StatusBadge status={t`Custom text`} tone="neutral" />}
                </MailLink>
              </li>
            ))}
          </chakra.ul>
        </chakra.nav>
      </Section>
    </Box>
  );
}
