package io.vtagent.it.truth;

/** How a program comes to have a class loaded or initialized. */
enum Via {
    /** Code that refers to it is run for the first time. */
    LINK,
    /** {@code Class.forName}, a native method. */
    FOR_NAME,
    /** {@code ClassLoader.loadClass}, in plain Java; loads it only. */
    LOAD_CLASS,
    /** {@code Method.invoke} of a static method. */
    REFLECTION,
    /** A method handle of a static method. */
    METHOD_HANDLE
}
