export {
  addDevice as add,
  addPasskey,
  beginPasskey,
  deleteDevice as delete,
  manageDevice as manage,
  nameDevice as rename,
  replaceDevice as replace,
  testDevice as test,
} from '../index.ts';
