import { Button, chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { createApp } from '@orchestrate/shared';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNextStep } from '../../../lib/address/use-next-step.ts';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { paths } from '../../../paths.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { type GeneralInfo, generalInfo, NAME_TAKEN } from '../editor/app-schemas.ts';
import { GeneralFields } from '../editor/general-fields.tsx';
import { useOrgCode } from '../use-applications.ts';
import type { CreateDialogProps } from './create-dialog-props.ts';

/** The name of a RADIUS or LDAP application; the portal makes the rest, and the editor shows it. */
export function CreateNetworkDialog({
  type,
  isOpen,
  onClose,
  onExitComplete,
}: CreateDialogProps & { type: 'radius' | 'ldap' }) {
  const formId = useId();
  const orgCode = useOrgCode();
  const goOn = useNextStep();
  const create = useWrite(createApp, { invalidates: ['Applications'] });
  const form = useForm<GeneralInfo>({
    resolver: zodResolver(generalInfo),
    mode: 'onTouched',
    defaultValues: { name: '', description: '' },
  });
  const { errors, isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, description }) => {
    try {
      const body = { orgCode, integrationType: type, name, description };
      const { app } = await create.run({ params: { orgCode }, body });
      goOn(paths.applicationTab(app.appId, 'configuration'), { replace: true });
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS')
        form.setError('name', { message: NAME_TAKEN }, { shouldFocus: true });
      else form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={`Create ${type.toUpperCase()} application`}
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
