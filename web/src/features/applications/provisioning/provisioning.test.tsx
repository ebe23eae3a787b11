import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { addGroupMember, createGroup, getAppProvisioning, updateApp } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import ApplicationScreen from '../editor/application-screen.tsx';

const params = { orgCode: 'acme', appId: 'payroll' };

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

/** Starts an empty SCIM service that accepts every request. */
async function service(): Promise<string> {
  const server = createServer((request, response) => {
    const isNew = request.method === 'POST';
    response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/scim+json' });
    const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 0, Resources: [] };
    request.resume().on('end', () => response.end(JSON.stringify(isNew ? { id: crypto.randomUUID() } : list)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

test('sets up, tests and removes a service, and logs the requests for people and groups', async () => {
  const { token, profile } = await portal.signIn('super.admin@acme.test');
  const { groupId } = (await portal.call(createGroup, { body: { displayName: 'Night shift' } }, { token })).body.group;
  await portal.call(addGroupMember, { params: { groupId, suid: profile.suid }, body: {} }, { token });
  const usableBy = { roles: ['SUPER_ADMIN'], people: [] };
  await portal.call(updateApp, { params, body: { usableBy } }, { token });
  await visitSignedIn(
    portal,
    'super.admin@acme.test',
    '/applications/payroll/provisioning',
    <Routes>
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
    </Routes>,
  );
  await press('Set up provisioning');
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up provisioning' }));
  await fill(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Address/ }), 'ftp://nowhere');
  await fill(dialog.getByLabelText<HTMLInputElement>(/^Token/, { selector: 'input' }), 'a token');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(dialog.getByRole('textbox', { name: /^Address/ }).getAttribute('aria-invalid')).toBe('true'),
  );

  await fill(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Address/ }), await service());
  await user.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByRole('list', { name: 'Test' });
  await user.click(dialog.getByRole('switch', { name: /^Send groups/ }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('On');

  await waitFor(async () => {
    const { body } = await portal.call(getAppProvisioning, { params }, { token });
    expect(body.provisioning?.people).toMatchObject({ waiting: 0, failed: 0 });
    expect(body.provisioning?.groups).toEqual({ waiting: 0, current: 1, failed: 0 });
  });
  await user.click(await screen.findByRole('button', { name: /^Data sent to the service/ }));
  const sent = await screen.findByRole('group', { name: 'Data sent to the service' });
  expect(JSON.parse(sent.textContent ?? '')).toMatchObject({ userName: 'super.admin@acme.test' });

  await user.selectOptions(await screen.findByRole('combobox', { name: 'Or choose a group' }), 'Night shift');
  await waitFor(() =>
    expect(JSON.parse(screen.getByRole('group', { name: 'Data sent to the service' }).textContent ?? '')).toMatchObject(
      {
        displayName: 'Night shift',
        externalId: groupId,
      },
    ),
  );

  await press('Refresh');
  await within(await screen.findByRole('table', { name: 'Log' })).findByText('Night shift');
  const [row] = within(await screen.findByRole('table', { name: 'Log' })).getAllByRole('row', {
    name: /Avery Lindqvist/,
  });
  expect(row?.textContent).toContain('Create');
  await user.click(within(row ?? document.body).getByRole('button', { name: 'Show the requests' }));
  await screen.findByText(/^POST \/Users/);

  await press('Remove provisioning');
  const confirmation = within(await screen.findByRole('alertdialog'));
  await user.click(confirmation.getByRole('button', { name: 'Remove provisioning' }));
  await screen.findByText("Provisioning isn't set up");
});
