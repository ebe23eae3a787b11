import { Button, chakra, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { AUDIT_ACTIONS, type JournalMiss, RESULT_NAMES, type ReplyOf, verifyJournal } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { Modal } from '#ui/dialog/modal.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { useLabForm } from '../use-control.ts';
import { isJournalKind, KINDS } from './journal-text.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const DIRECTIONS = ['opened', 'sent', 'received', 'closed', 'refused'];
const COUNTS = { count: t`exactly`, atLeast: t`at least`, atMost: t`at most` } as const;
const FIELDS = ['method', 'path', 'event', 'email', 'org', 'after', 'status', 'body', ...Object.keys(COUNTS)];

const NOTHING = {
  method: '',
  path: '',
  email: '',
  org: '',
  after: '',
  status: '',
  resultName: '',
  direction: '',
  event: '',
  body: '',
  times: '1',
};

type Found = ReplyOf<typeof verifyJournal>;

/** Dialog that checks how often an event happened and displays the closest matches if the count is off. */
export function VerifyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const formId = useId();
  const [kind, setKind] = useState<keyof typeof KINDS>('http');
  const [often, setOften] = useState<keyof typeof COUNTS>('count');
  const [values, setValues] = useState(NOTHING);
  const [found, setFound] = useState<Found>();
  const { send, errors, setErrors, isPending } = useLabForm(verifyJournal, FIELDS);
  const bind = (name: keyof typeof NOTHING) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  });
  const isHttp = kind === 'http';
  const isSocket = kind === 'socket';
  const isWebhook = kind === 'webhook';
  const hasBody = isHttp || isSocket || isWebhook;
  const hasPath = hasBody || kind === 'fault';

  const check = async () => {
    setFound(undefined);
    const body = readBody(values.body);
    if (body === null) return setErrors({ body: t`Enter a JSON object` });
    const { method, path, email, org, after, status, resultName, direction, event, times } = values;
    const reply = await send({
      kind,
      ...(isHttp && method && { method }),
      ...((isHttp || isWebhook) && status && { status: Number(status) }),
      ...(isHttp && resultName && { resultName }),
      ...(isSocket && direction && { direction }),
      ...(isWebhook && event && { event }),
      ...(hasPath && path.trim() && { path: path.trim() }),
      ...(email.trim() && { email: email.trim() }),
      ...(org.trim() && { org: org.trim() }),
      ...(after && { after: Number(after) }),
      ...(hasBody && body && { body }),
      [often]: Number(times),
    });
    setFound(reply ?? undefined);
  };
  const close = () => {
    setFound(undefined);
    setErrors({});
    onClose();
  };
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      size="lg"
      title={t`Verify the journal`}
      description={t`Check how often an event happened. If the count is off, you'll see the closest matches.`}
      footer={
        <>
          <Button variant="outline" onClick={close}>
            {t`Close`}
          </Button>
          <SoftDisabledButton type="submit" form={formId} isDisabled={isPending}>
            {t`Check`}
          </SoftDisabledButton>
        </>
      }
    >
      <chakra.form
        id={formId}
        noValidate
        display="flex"
        flexDirection="column"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) void check();
        }}
      >
        <Grid gap="4" templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))' }} alignItems="start">
          <FormField label={t`Kind`}>
            <Select value={kind} onChange={({ target }) => isJournalKind(target.value) && setKind(target.value)}>
              {Object.entries(KINDS).map(([value, { all }]) => (
                <option key={value} value={value}>
                  {all}
                </option>
              ))}
            </Select>
          </FormField>
          {isHttp && (
            <FormField label={t`Method`} error={errors.method}>
              <Select {...bind('method')}>
                <option value="">{t`any`}</option>
                {METHODS.map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </Select>
            </FormField>
          )}
          {isSocket && (
            <FormField label={t`Direction`}>
              <Select {...bind('direction')}>
                <option value="">{t`any`}</option>
                {DIRECTIONS.map((direction) => (
                  <option key={direction}>{direction}</option>
                ))}
              </Select>
            </FormField>
          )}
          {isWebhook && (
            <FormField label={t`Event`} error={errors.event}>
              <Select {...bind('event')}>
                <option value="">{t`any`}</option>
                {[...AUDIT_ACTIONS, 'webhook.test'].map((action) => (
                  <option key={action}>{action}</option>
                ))}
              </Select>
            </FormField>
          )}
          {hasPath && (
            <FormField label={t`Path`} error={errors.path}>
              <Input placeholder={t`any`} autoCapitalize="none" spellCheck={false} {...bind('path')} />
            </FormField>
          )}
          <FormField label={t`Person`} error={errors.email}>
            <Input placeholder={t`anyone`} autoCapitalize="none" spellCheck={false} {...bind('email')} />
          </FormField>
          <FormField label={t`Organisation`} error={errors.org}>
            <Input placeholder={t`any`} autoCapitalize="none" spellCheck={false} {...bind('org')} />
          </FormField>
          <NumberField label={t`After entry`} placeholder={t`any`} error={errors.after} {...bind('after')} />
          {(isHttp || isWebhook) && (
            <NumberField
              label={t`HTTP status`}
              max={599}
              placeholder={t`any`}
              error={errors.status}
              {...bind('status')}
            />
          )}
          {isHttp && (
            <FormField label={t`Result`}>
              <Select {...bind('resultName')}>
                <option value="">{t`any`}</option>
                {RESULT_NAMES.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </Select>
            </FormField>
          )}
          <FormField label={t`How often`}>
            <Select
              value={often}
              onChange={({ target }) =>
                setOften(target.value === 'atLeast' || target.value === 'atMost' ? target.value : 'count')
              }
            >
              {Object.entries(COUNTS).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </FormField>
          <NumberField label={t`Times`} max={2_000} error={errors[often]} {...bind('times')} />
        </Grid>
        {hasBody && (
          <FormField
            label={t`Body contains (optional)`}
            help={t`A JSON object with the expected fields`}
            error={errors.body}
          >
            <TextArea
              rows={2}
              fontFamily="mono"
              spellCheck={false}
              placeholder='{ "orgCode": "acme" }'
              {...bind('body')}
            />
          </FormField>
        )}
        {errors.root && <AlertLine>{errors.root}</AlertLine>}
        {found && <Findings found={found} />}
      </chakra.form>
    </Modal>
  );
}

/** Scrolls the results into view, because they are below a long form. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' });

function Findings({ found: { ok, count, skipped, misses } }: { found: Found }) {
  return (
    <Flex direction="column" gap="3" role="status">
      <Flex ref={intoView} gap="3" align="flex-start">
        <StatusBadge status={ok ? t`As expected` : t`Not as expected`} tone={ok ? 'success' : 'danger'} />
        <Text overflowWrap="anywhere" minW="0">
          {plural(count, {
            0: 'The event didn’t happen.',
            one: 'The event happened once.',
            other: 'The event happened # times.',
          })}
          {skipped > 0 &&
            ` ${plural(skipped, { one: '# entry after this number is no longer stored.', other: '# entries after this number are no longer stored.' })}`}
        </Text>
      </Flex>
      {misses.length > 0 && (
        <chakra.ol aria-label={t`Closest matches`} listStyleType="none" display="flex" flexDirection="column" gap="2">
          {misses.map((miss) => (
            <Miss key={miss.entry.seq} miss={miss} />
          ))}
        </chakra.ol>
      )}
    </Flex>
  );
}

function Miss({ miss: { entry, differs } }: { miss: JournalMiss }) {
  return (
    <chakra.li borderWidth="1px" borderRadius="l2" px="3.5" py="2.5">
      <Text textStyle="sm" overflowWrap="anywhere">
        {entry.summary}
      </Text>
      {differs.map(({ field, expected, actual }) => (
        <Text key={field} textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          <Trans>
            <chakra.code color="fg">{field}</chakra.code>: expected{' '}
            <chakra.code>{JSON.stringify(expected)}</chakra.code>, got{' '}
            <chakra.code>{JSON.stringify(actual)}</chakra.code>
          </Trans>
        </Text>
      ))}
    </chakra.li>
  );
}

/** Parses the expected body. Returns undefined if it is empty, or null if it isn't a JSON object. */
function readBody(typed: string): object | null | undefined {
  if (typed.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
