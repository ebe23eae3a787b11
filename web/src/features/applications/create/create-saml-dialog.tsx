import { Button, chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { validateAppName } from '@orchestrate/shared';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNextStep } from '../../../lib/address/use-next-step.ts';
import { call } from '../../../lib/api/call.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { paths } from '../../../paths.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { type GeneralInfo, generalInfo, NAME_TAKEN } from '../editor/app-schemas.ts';
import { GeneralFields } from '../editor/general-fields.tsx';
import { useOrgCode } from '../use-applications.ts';
import type { CreateDialogProps } from './create-dialog-props.ts';
import { keepSamlDraft } from './saml-draft.ts';

/** The name of a SAML application; once it is free, the editor asks for the rest (spec 2 §2). */
export default function CreateSamlDialog({ isOpen, onClose, onExitComplete }: CreateDialogProps) {
  const formId = useId();
  const orgCode = useOrgCode();
  const goOn = useNextStep();
  const form = useForm<GeneralInfo>({
    resolver: zodResolver(generalInfo),
    mode: 'onTouched',
    defaultValues: { name: '', description: '' },
  });
  const { errors, isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, description }) => {
    try {
      const { result } = await call(validateAppName, { params: { orgCode }, body: { appName: name, orgId: orgCode } });
      if (!result.available) return form.setError('name', { message: NAME_TAKEN }, { shouldFocus: true });
      keepSamlDraft({ name, description, appId: result.proposedAppId });
      goOn(`${paths.samlCreate}/configuration`, { replace: true });
    } catch (failure) {
      form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title="Create SAML application"
      description="General Info"
      size="md"
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isDirty} loading={isSubmitting} loadingText="Submit">
            Submit
          </Button>
        </>
      }
    >
      <chakra.form
        id={formId}
        noValidate
        onSubmit={(event) => void submit(event)}
        display="flex"
        flexDirection="column"
        gap="5"
      >
        <GeneralFields
          name={form.register('name')}
          description={form.register('description')}
          errors={{ name: errors.name?.message, description: errors.description?.message }}
        />
        {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
      </chakra.form>
    </Modal>
  );
}
