export {
  createRole as create,
  deleteRole as delete,
  editRole as update,
  getRole as get,
  listPermissions,
  listRoles as list,
} from '../index.ts';
