#include "store/etcd/credentials.h"

#include <gtest/gtest.h>

#include <map>

#include "support/temp_folder.h"

namespace berth {
namespace {

class EtcdCredentialsTest : public ::testing::Test {
 protected:
  void Name(const std::string& variable, const std::string& text) {
    variables_[variable] = folder_.Write(variable, text);
  }
  Result<EtcdCredentials> Read() const {
    return ReadEtcdCredentials([this](const char* variable) {
      const auto found = variables_.find(variable);
      return found == variables_.end() ? std::string() : found->second;
    });
  }
  std::string Refused() const {
    const Result<EtcdCredentials> read = Read();
    return read.ok() ? "" : read.status().message();
  }

  testing::TempFolder folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(EtcdCredentialsTest, AreNoneUnlessNamed) {
  const EtcdCredentials none = Read().value();
  EXPECT_EQ(none.authority + none.certificate + none.key + none.user + none.password, "");
}

TEST_F(EtcdCredentialsTest, AreReadFromTheFilesThatAreNamed) {
  Name("BERTH_ETCD_CA", "ca");
  Name("BERTH_ETCD_CERT", "certificate");
  Name("BERTH_ETCD_KEY", "key");
  Name("BERTH_ETCD_USER", "zone:a:b \n");
  const EtcdCredentials read = Read().value();
  EXPECT_EQ(read.authority, "ca");
  EXPECT_EQ(read.certificate, "certificate");
  EXPECT_EQ(read.key, "key");
  EXPECT_EQ(read.user, "zone");
  EXPECT_EQ(read.password, "a:b ");
}

TEST_F(EtcdCredentialsTest, GoTogether) {
  Name("BERTH_ETCD_USER", "a:b");
  EXPECT_EQ(Refused(),
            "BERTH_ETCD_CERT and BERTH_ETCD_USER are for a connection with TLS; set BERTH_ETCD_CA "
            "too");
  Name("BERTH_ETCD_CA", "ca");
  EXPECT_EQ(Refused(), "");
  Name("BERTH_ETCD_KEY", "key");
  EXPECT_EQ(Refused(), "BERTH_ETCD_CERT and BERTH_ETCD_KEY go together; set both");
}

TEST_F(EtcdCredentialsTest, ThatCannotBeReadAreNamedAndNeverShown) {
  Name("BERTH_ETCD_CA", "");
  EXPECT_EQ(Refused(), "BERTH_ETCD_CA: " + folder_.File("BERTH_ETCD_CA") + " is empty");
  variables_["BERTH_ETCD_CA"] = folder_.File("nosuch");
  EXPECT_NE(Refused().find("BERTH_ETCD_CA: "), std::string::npos);
  EXPECT_NE(Refused().find("nosuch"), std::string::npos);
  Name("BERTH_ETCD_CA", "ca");
  for (const char* text : {"secret", ":secret", "secret:", "secret:1\nsecret:2", "\n"}) {
    Name("BERTH_ETCD_USER", text);
    EXPECT_EQ(Refused(), "BERTH_ETCD_USER: " + folder_.File("BERTH_ETCD_USER") +
                             " is not one line NAME:PASSWORD");
  }
}

}  // namespace
}  // namespace berth
