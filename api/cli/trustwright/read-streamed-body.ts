/**
 * Reads the body of a streamed response. A connection that is lost before the content is read fails the read. A `Readable` would emit an
 * error that nothing handles yet.
 */
export async function* readStreamedBody(data: ReadableStream<Uint8Array> | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of data ?? []) yield Buffer.from(chunk)
}
