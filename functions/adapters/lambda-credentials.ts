/**
 * What the bundles hold in place of the SDK's chain of credential providers: a function on AWS finds its credentials in its
 * environment, and single sign-on, profiles and token services would be a sixth of the bundle.
 */

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** The SDK's own name for it. The provider throws an Error if the environment has no credentials. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('the environment has no AWS credentials')
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    }
  }
}
