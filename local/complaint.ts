/** What goes wrong and is expected to: told in one sentence, without a stack trace. */

/** The exit codes of the command line. */
export const EXIT = {
  done: 0,
  /** Something the program did not expect. */
  failed: 1,
  usage: 2,
  portTaken: 3,
  folderInUse: 4,
  notWritable: 5,
  damaged: 6,
} as const

/** One sentence for the person at the terminal, and the code to end with. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exitCode: number

  constructor(sentence: string, exitCode: number) {
    super(sentence)
    this.exitCode = exitCode
  }
}
