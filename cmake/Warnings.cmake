# Warnings and sanitizers for our own targets; never for those who use the library.
function(kernmix_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Clang counts it into -Wconversion, GCC does not: every vector[Index] would be one.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)
  endif()
  if(KERNMIX_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(KERNMIX_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${KERNMIX_SANITIZE} -fno-omit-frame-pointer)
    if(KERNMIX_SANITIZE MATCHES "address.*undefined")
      # What the address sanitizer sees anyway, at half of the compile time; and uses of variables after their scope,
      # for a third of it.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow
        -fno-sanitize-address-use-after-scope)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${KERNMIX_SANITIZE})
  endif()
endfunction()
