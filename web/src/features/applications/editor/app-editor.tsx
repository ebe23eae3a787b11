import { Box, Button, chakra, Flex, Skeleton, Spacer } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { hasCallback, hasSignIn, type IntegrationType } from '@orchestrate/shared';
import { CopyPlus, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { useHasRoomForAside } from '#lib/browser/use-media.ts';
import { leaveWithoutAsking } from '#lib/leaving/navigation-guard.tsx';
import { reasonOf } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { SaveBar, useKeepFieldClear, useSaveKey } from '#ui/editing/save-bar.tsx';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { UnsavedChanges } from '#ui/editing/unsaved-changes.tsx';
import { useVersionedForm } from '#ui/editing/use-versioned-form.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { FormAlert } from '#ui/form/form-alert.tsx';
import { TestSignInButton } from '../test-sign-in/test-sign-in-button.tsx';
import { type ChangedFields, changesBetween } from './app-bodies.ts';
import { appFields } from './app-fields.ts';
import { type AppForm, appForm, formOf, PendingMetadataUpload } from './app-form.ts';
import { fieldOfIssue } from './app-issues.ts';
import { NAME_TAKEN_MESSAGE, urlsOf } from './app-schemas.ts';
import { EditorHeader } from './editor-header.tsx';
import { GeneralTab } from './general-tab.tsx';
import { isForAdministrators, SideTabs, tabFromSegment, tabOfField, tabsOf } from './side-tabs.tsx';
import type { SavedApp } from './use-save-app.ts';
import { useTouchedForm } from './use-touched-form.ts';

interface EditorFooterProps {
  bar: RefObject<HTMLDivElement | null>;
  errors: object;
  changes: number;
  canSubmit: boolean;
  isSubmitting: boolean;
  onCancel: () => void;
  /** Absent in create mode. */
  onDelete?: (() => void) | undefined;
}

/** Actions for the whole form, which stay visible below the tabs. */
function EditorFooter({ bar, errors, changes, canSubmit, isSubmitting, onCancel, onDelete }: EditorFooterProps) {
  return (
    <Flex
      ref={bar}
      position="sticky"
      bottom="0"
      zIndex="docked"
      direction="column"
      gap="3"
      py="3"
      bg="bg"
      borderTopWidth="1px"
    >
      <FormAlert errors={errors} />
      <Flex align="center" wrap="wrap" gap="2.5">
        {onDelete && (
          <Button variant="ghost" color="fg.error" ms="-4" onClick={onDelete}>
            <Box as={Trash2} hideBelow="xs" />
            {t`Delete app`}
          </Button>
        )}
        <Spacer />
        <SaveBar
          changes={changes}
          isSaving={isSubmitting}
          onDiscard={onCancel}
          canSave={canSubmit}
          discardLabel={t`Cancel`}
          saveLabel={t`Submit`}
        />
      </Flex>
    </Flex>
  );
}

const LoadingTab = () => (
  <Box role="status" aria-label={t`Loading`}>
    <SettingsSkeleton cards={[{ kind: 'switches', count: 3, isDescribed: true }]} />
  </Box>
);

const AccessTab = lazyPart(() => import('./access-tab.tsx'));
const LoginOptionsTab = lazyPart(() => import('./login-options-tab.tsx'));
const ProvisioningTab = lazyPart(() => import('../provisioning/provisioning-tab.tsx'));
const HistoryTab = lazyPart(() => import('./history-tab.tsx'));

export interface AppEditorProps {
  /** Absent in create mode. */
  appId?: string;
  type: IntegrationType;
  /** Logo URL, or null if the application has none. Absent in create mode. */
  logo?: string | null;
  /** Base path of the editor. Tab names are appended to it. */
  root: string;
  initial: AppForm;
  /** The version that was loaded for editing. Absent in create mode. */
  version?: string | undefined;
  /** Saves the changed field groups. */
  save: (form: AppForm, changed: ChangedFields, ifMatch: string | undefined) => Promise<SavedApp>;
  /** Path to open after saving. */
  pathAfter: (appId: string) => string;
  texts: { saved: string; failed: string };
  /** Content of the 'Configuration' tab for this application type. */
  configuration?: ReactNode;
  /**
   * Content at the side on wide screens, and below the configuration on others. Absent in create mode.
   * @param hasQuickStart true at the side of the configuration
   */
  aside?: (hasQuickStart: boolean) => ReactNode;
  onCancel?: () => void;
  onDelete?: (() => void) | undefined;
  /** Absent in create mode. */
  onDuplicate?: () => void;
}

/** Edits an application's settings in one form that spans several tabs (spec 2 §2). */
export function AppEditor({ appId, type, root, initial, version, configuration, ...editor }: AppEditorProps) {
  const navigate = useNavigate();
  const goToNextStep = useGuardedNavigate(root);
  const signsIn = !initial.oidc || hasSignIn(initial.oidc.kind);
  const mayAll = useCan('SESSION_MANAGEMENT');
  const tabs = tabsOf(type, appId === undefined).filter(
    (each) => (signsIn || each !== 'login-options') && (mayAll || !isForAdministrators(each)),
  );
  const named = tabFromSegment(useParams()['*'] ?? '', tabs);
  // Without a tab in its address, the editor shows the first one while it adds that tab.
  const tab = named ?? tabs[0] ?? 'configuration';
  const isBeside = useHasRoomForAside(tab === 'history' ? 'table' : 'form');
  const form = useTouchedForm<AppForm>({ resolver: zodResolver(appForm), defaultValues: initial });
  const { errors, isDirty, isSubmitting } = form.formState;
  const savedId = useRef('');
  const box = useRef<HTMLFormElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const pendingReading = useRef(Promise.resolve(true));
  const [isWaiting, setIsWaiting] = useState(false);
  const versioned = useVersionedForm<AppForm>({
    form,
    name: `application ${appId ?? 'new'}`,
    saved: { values: initial, version },
    fields: appFields,
    formOf,
    save: async (values, base) => {
      const saved = await editor.save(values, changesBetween(base.values, values), base.version);
      savedId.current = saved.appId;
      return { values, version: saved.version };
    },
  });
  const comesBack = !initial.oidc || hasCallback(initial.oidc.kind, urlsOf(initial.oidc.callbackUrls));
  const isTriable = appId !== undefined && comesBack && (type === 'oidc' || type === 'saml');
  const fields = Object.keys(errors) as (keyof AppForm)[];
  const faulty = new Set(fields.map(tabOfField));

  const showFirstFault = (found: object) => {
    const wrong = new Set((Object.keys(found) as (keyof AppForm)[]).map(tabOfField));
    const first = tabs.find((each) => wrong.has(each));
    if (first && !wrong.has(tab)) goToNextStep(`${root}/${first}`, { replace: true });
  };

  /** Shows the server's validation errors under their fields. */
  const showIssues = ({ issues }: ApiRefusal, values: AppForm) => {
    const found = issues.flatMap(({ path, message }) => {
      const field = fieldOfIssue(path, values);
      return field ? [{ field, message }] : [];
    });
    for (const { field, message } of found) form.setError(field, { message });
    showFirstFault(Object.fromEntries(found.map(({ field }) => [field.split('.')[0], true])));
  };

  const saveValues = async (values: AppForm): Promise<string | undefined> => {
    try {
      if (!(await versioned.save(values))) return undefined;
      toast.success(editor.texts.saved);
      return savedId.current;
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS') {
        form.setError('name', { message: NAME_TAKEN_MESSAGE });
        goToNextStep(`${root}/name-&-description`, { replace: true });
      } else if (!(failure instanceof ApiRefusal && failure.status === 401)) {
        toast.error(editor.texts.failed, reasonOf(failure));
        if (failure instanceof ApiRefusal) showIssues(failure, values);
      }
      return undefined;
    }
  };

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isWaiting) return;
    setIsWaiting(true);
    const isRead = await pendingReading.current;
    setIsWaiting(false);
    if (!isRead) return;
    await form.handleSubmit(async (values) => {
      const id = await saveValues(values);
      if (id !== undefined) leaveWithoutAsking(() => goToNextStep(editor.pathAfter(id)));
    }, showFirstFault)();
  };

  const saveAndLeave = async (): Promise<boolean> => {
    if (!(await pendingReading.current)) return false;
    let isSaved = false;
    await form.handleSubmit(async (values) => {
      isSaved = (await saveValues(values)) !== undefined;
    }, showFirstFault)();
    return isSaved;
  };

  const cancel = () => {
    versioned.discard();
    editor.onCancel?.();
    leaveWithoutAsking(() => void navigate(paths.applications));
  };

  const canSubmit = isDirty && fields.length === 0;
  useSaveKey(box, canSubmit && !isSubmitting ? () => void submit() : undefined);
  useKeepFieldClear(box, bar, true);

  return (
    <FormProvider {...form}>
      {!named && <Navigate to={`${root}/${tab}`} replace />}
      <chakra.form
        ref={box}
        noValidate
        onSubmit={(event) => void submit(event)}
        display="flex"
        flexDirection="column"
        gap="6"
        flex="1"
      >
        <title>{t`${initial.name} · Orchestrate`}</title>
        <EditorHeader
          name={initial.name}
          type={type}
          logo={editor.logo}
          action={
            <>
              {editor.onDuplicate && (
                <ExplainedButton
                  variant="outline"
                  obstacle={isDirty ? t`Save your changes first. Only saved settings are copied` : undefined}
                  onClick={editor.onDuplicate}
                >
                  <CopyPlus />
                  {t`Duplicate`}
                </ExplainedButton>
              )}
              {isTriable && <TestSignInButton appId={appId} />}
            </>
          }
        />
        {versioned.note}
        <Flex
          direction={{ base: 'column', sm: 'row' }}
          gap={{ base: '5', sm: '8' }}
          align={{ sm: 'flex-start' }}
          flex="1"
        >
          <SideTabs root={root} tabs={tabs} faulty={faulty} />
          <Flex direction="column" gap="5" flex="1" minW="0">
            <Suspense fallback={<LoadingTab />}>
              {tab === 'configuration' && (
                <PendingMetadataUpload value={pendingReading}>{configuration}</PendingMetadataUpload>
              )}
              {tab === 'access' && <AccessTab />}
              {tab === 'login-options' && <LoginOptionsTab type={type} />}
              {tab === 'name-&-description' && <GeneralTab appId={appId} />}
              {tab === 'provisioning' && appId !== undefined && <ProvisioningTab appId={appId} />}
              {tab === 'history' && appId !== undefined && <HistoryTab appId={appId} />}
            </Suspense>
            {!isBeside && tab === 'configuration' && <Suspense>{editor.aside?.(false)}</Suspense>}
          </Flex>
          {isBeside && editor.aside && (
            <Box
              as="aside"
              aria-label={t`Quick start and last sign-ins`}
              position="sticky"
              top="calc({sizes.header} + {spacing.6})"
              maxH="calc({sizes.view} - {sizes.header} - {spacing.28})"
              overflowY="auto"
              w="22.5rem"
              flexShrink="0"
            >
              <Suspense fallback={<Skeleton h="96" borderRadius="l3" />}>
                {editor.aside(tab === 'configuration')}
              </Suspense>
            </Box>
          )}
        </Flex>
        <EditorFooter
          bar={bar}
          errors={errors}
          changes={versioned.changes}
          canSubmit={canSubmit}
          isSubmitting={isSubmitting || isWaiting}
          onCancel={cancel}
          onDelete={editor.onDelete}
        />
      </chakra.form>
      {/* A new application already has the name entered in the first dialog, so the form is always considered unsaved. */}
      <UnsavedChanges isDirty={(isDirty || appId === undefined) && !isSubmitting} within={root} onSave={saveAndLeave} />
      {versioned.conflict}
    </FormProvider>
  );
}
