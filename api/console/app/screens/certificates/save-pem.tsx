/** A text of this screen as a file. */
export function SavePem({ label, name, pem }: { label: string; name: string; pem: string }) {
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([pem], { type: 'application/x-pem-file' }))
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" onClick={save}>
      {label}
    </button>
  )
}
