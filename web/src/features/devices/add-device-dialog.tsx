export default function AddDeviceDialog(_props: { isOpen: boolean; onClose: () => void }) {
  return null;
}
