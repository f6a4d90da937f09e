import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { say, texts } from './language.ts'

const scanTexts = texts('scan')

/** The Barcode Detection API, which the types of TypeScript do not have. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}

declare global {
  var BarcodeDetector: { new (options: { formats: string[] }): Detector } | undefined
}

/** A button that reads a QR code with the camera. Shows nothing if the browser cannot read codes or has no camera. */
export function ScanButton({ onText }: { onText: (text: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  if (!globalThis.BarcodeDetector || !navigator.mediaDevices) return null
  const accept = (text: string) => {
    setOpen(false)
    onText(text)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say(scanTexts.scan)}
      </button>
      {isOpen && (
        <Dialog title={say(scanTexts.scan)} onClose={() => setOpen(false)}>
          <Camera onText={accept} />
        </Dialog>
      )}
    </>
  )
}

/** The picture of the camera until a QR code is in it. */
function Camera({ onText }: { onText: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    const read = async () => {
      const text = await readCode(video.current, ended.signal)
      if (text !== undefined && !ended.signal.aborted) onText(text)
    }
    read().catch(() => setRefused(true))
    return () => ended.abort()
  }, [])
  if (isRefused) return <p class="problem">{say(scanTexts.noCamera)}</p>
  return (
    <>
      <p>{say(scanTexts.advice)}</p>
      <video ref={video} class="camera" muted playsInline aria-label={say(scanTexts.scan)} />
    </>
  )
}

const betweenReadsMs = 150

/** Returns the text of the first QR code. Turns the camera off in every case. Returns undefined if it was ended. */
async function readCode(video: HTMLVideoElement | null, ended: AbortSignal): Promise<string | undefined> {
  const Detecting = globalThis.BarcodeDetector
  if (!video || !Detecting) return undefined
  const detector = new Detecting({ formats: ['qr_code'] })
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    video.srcObject = stream
    await video.play()
    while (!ended.aborted) {
      const [code] = await detector.detect(video)
      if (code) return code.rawValue
      await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
    }
    return undefined
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
