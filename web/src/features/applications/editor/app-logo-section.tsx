import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { deleteAppLogo, LIMITS, saveAppLogo } from '@orchestrate/shared';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { formatFileSize } from '../../../lib/format/file-size.ts';
import { toastRefusal } from '../../../lib/notices/toast-refusal.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { AppLogo } from '../../../ui/app-logo.tsx';
import { RemovedFromLogo } from '../../../ui/removed-from-logo.tsx';
import { Section } from '../../../ui/section.tsx';
import { useApplication, useOrgCode } from '../use-applications.ts';

const MEGAPIXELS = LIMITS.logoPixels / 1_000_000;
const ACCEPTED = '.svg,.png,.jpg,.jpeg,.gif,.webp';

/** The logo of an application, which is saved by itself as soon as a picture is chosen. */
export function AppLogoSection({ appId }: { appId: string }) {
  const { data } = useApplication(appId);
  const params = { orgCode: useOrgCode(), appId };
  const { run: save, isPending: isSaving } = useWrite(saveAppLogo, { invalidates: ['Applications'] });
  const { run: remove, isPending: isRemoving } = useWrite(deleteAppLogo, { invalidates: ['Applications'] });
  const [problem, setProblem] = useState<string>();
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const app = data?.app;

  const upload = async (file: File | undefined) => {
    if (input.current) input.current.value = '';
    if (!file) return;
    setRemoved([]);
    if (file.size > LIMITS.logoBytes) return setProblem(t`File is larger than ${formatFileSize(LIMITS.logoBytes)}`);
    setProblem(undefined);
    const body = new FormData();
    body.set('file', file);
    try {
      setRemoved((await save({ params, body })).removed);
      toast.success(t`Logo saved`);
    } catch (failure) {
      const reason = failure instanceof ApiRefusal && failure.issues.find(({ path }) => path === 'file')?.message;
      if (reason) setProblem(reason);
      else toastRefusal(failure);
    }
  };
  const clear = async () => {
    setProblem(undefined);
    setRemoved([]);
    try {
      await remove({ params });
      toast.success(t`Logo removed`);
      choose.current?.focus();
    } catch (failure) {
      toastRefusal(failure);
    }
  };

  return (
    <Section title={t`Logo`}>
      <Flex direction="column" gap="3">
        <Flex align="center" gap="4" wrap="wrap">
          <AppLogo name={app?.name ?? ''} logo={app?.logo ?? null} />
          <Flex gap="2.5" wrap="wrap">
            <Button
              ref={choose}
              type="button"
              variant="outline"
              loading={isSaving}
              loadingText={t`Saving`}
              onClick={() => input.current?.click()}
            >
              <ImageUp />
              {app?.logo ? t`Replace logo` : t`Choose a logo`}
            </Button>
            {app?.logo && (
              <Button
                type="button"
                variant="outline"
                loading={isRemoving}
                loadingText={t`Removing`}
                onClick={() => void clear()}
              >
                <Trash2 />
                {t`Remove logo`}
              </Button>
            )}
          </Flex>
        </Flex>
        <Text textStyle="sm" color="fg.muted">
          {t`Shown in My Applications and in the list of applications. Saved immediately. SVG, PNG, JPG, GIF or WebP, at most ${formatFileSize(LIMITS.logoBytes)} and ${MEGAPIXELS} million pixels.`}
        </Text>
        {problem && <AlertLine>{problem}</AlertLine>}
        <RemovedFromLogo names={removed} />
        <chakra.input
          ref={input}
          type="file"
          accept={ACCEPTED}
          aria-label={t`Logo file`}
          display="none"
          onChange={({ target }) => void upload(target.files?.[0])}
        />
      </Flex>
    </Section>
  );
}
