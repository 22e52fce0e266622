/* java's command line, without java: this program is the one that makes the JVM, as an application does that embeds it. */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef jint (*CreateJvm)(JavaVM **, void **, void *);

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(3);
}

/* PATH/bin/java OPTION... -cp CLASSES MAIN ARGUMENT... */
int main(int count, char **arguments) {
    char library[4096];
    char *bin = strstr(arguments[1], "/bin/java");
    snprintf(library, sizeof library, "%.*s/lib/server/libjvm.so", (int) (bin - arguments[1]), arguments[1]);
    void *handle = dlopen(library, RTLD_NOW);
    CreateJvm create = handle == NULL ? NULL : (CreateJvm) dlsym(handle, "JNI_CreateJavaVM");
    if (create == NULL) {
        fail(dlerror());
    }

    JavaVMOption *options = calloc(count, sizeof *options);
    int next = 2;
    int size = 0;
    while (strcmp(arguments[next], "-cp") != 0) {
        options[size++].optionString = arguments[next++];
    }
    char *classPath = malloc(strlen(arguments[next + 1]) + 32);
    sprintf(classPath, "-Djava.class.path=%s", arguments[next + 1]);
    options[size++].optionString = classPath;

    JavaVM *jvm;
    JNIEnv *env;
    JavaVMInitArgs wanted = {JNI_VERSION_21, size, options, JNI_FALSE};
    if (create(&jvm, (void **) &env, &wanted) != JNI_OK) {
        fail("no JVM");
    }
    char *name = arguments[next + 2];
    for (char *c = name; *c != 0; c++) {
        *c = *c == '.' ? '/' : *c;
    }
    jclass type = (*env)->FindClass(env, name);
    jmethodID method = type == NULL ? NULL : (*env)->GetStaticMethodID(env, type, "main", "([Ljava/lang/String;)V");
    if (method == NULL) {
        (*env)->ExceptionDescribe(env);
        fail("no main");
    }
    int first = next + 3;
    jobjectArray given =
        (*env)->NewObjectArray(env, count - first, (*env)->FindClass(env, "java/lang/String"), NULL);
    for (int i = first; i < count; i++) {
        (*env)->SetObjectArrayElement(env, given, i - first, (*env)->NewStringUTF(env, arguments[i]));
    }
    (*env)->CallStaticVoidMethod(env, type, method, given);
    int failed = (*env)->ExceptionCheck(env);
    if (failed) {
        (*env)->ExceptionDescribe(env);
    }
    (*jvm)->DestroyJavaVM(jvm);
    return failed;
}
