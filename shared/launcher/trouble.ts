/** What the person at the terminal can do something about; told in one message, without a stack. */
export class Trouble extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Trouble'
  }
}
